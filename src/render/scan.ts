import type { FoundSecret } from "../store/contract/types/secrets.ts";
import { oneLine } from "./list.ts";
import { plural } from "./plural.ts";

/** What a look through a memory found, and what was done about it. */
export interface ScanReport {
  found: readonly FoundSecret[];
  /** Turns and other values that were changed; null where nothing was to be changed. */
  changed: number | null;
  /** Whether the file was rewritten without the old bytes; null where there was no need to. */
  rewritten: boolean | null;
  /** Old copies of the database beside it, which are not looked at. */
  copies: readonly string[];
}

/** How many places are shown; the rest is counted. */
const SHOWN = 100;

export function scanJson({ found, changed, rewritten, copies }: ScanReport) {
  return {
    found: found.map(({ turnId, place, kind, chars }) => ({ turn: turnId, place, kind, chars })),
    changed,
    rewritten,
    copies,
  };
}

/** Renders a report; a secret is shown as its kind and its length, never by its value. */
export function renderScan({ found, changed, rewritten, copies }: ScanReport): string {
  if (found.length === 0 && !changed) return `No secrets were found.\n${copiesNote(copies)}`;
  const lines = found
    .slice(0, SHOWN)
    .map(
      ({ turnId, place, kind, chars }) =>
        `  ${turnId === null ? "-" : `#${turnId}`}  ${oneLine(place)}  ${kind}, ${plural(chars, "character")}`,
    );
  const more = found.length > SHOWN ? `  and ${found.length - SHOWN} more\n` : "";
  return `Found ${plural(found.length, "secret")}:\n${lines.join("\n")}\n${more}${outcome(changed, rewritten)}${copiesNote(copies)}`;
}

function outcome(changed: number | null, rewritten: boolean | null): string {
  if (changed === null) return 'Remove them with "mementor scan --fix".\n';
  const bytes =
    rewritten === false
      ? 'Another process still reads the old file: "mementor forget --finish" removes its bytes.\n'
      : "";
  return `Removed them from ${plural(changed, "place")}. Change those that are still valid.\n${bytes}`;
}

function copiesNote(copies: readonly string[]): string {
  if (copies.length === 0) return "";
  return `Old copies of the database are not looked at; "mementor forget --backups" deletes them:\n${copies.map((copy) => `  ${copy}\n`).join("")}`;
}

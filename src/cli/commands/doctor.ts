import { oneLine } from "../../agents/notices.ts";
import { FORGET } from "../../constants.ts";
import { deleteLog, deleteReport, oldCopies } from "../../project/leftovers.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { FoundSecret } from "../../store/store.ts";
import { plural } from "../../text/numbers.ts";
import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption } from "../command-line/option.ts";
import { renderJson } from "../terminal/view.ts";

export const command = defineCommand({
  name: "doctor",
  help: { group: "Set up", position: 4 },
  summary: "Check everything, including one live recall, and say how to fix problems",
  arguments: {},
  options: {
    fix: flag("Repair what can be repaired; nothing is deleted"),
    secrets: flag("Only look for secrets that an older version stored; with --fix, remove them"),
    json: jsonOption,
  },
  examples: ["mementor doctor", "mementor doctor --fix", "mementor doctor --secrets --fix"],
  async run({ options }, runtime) {
    if (options.secrets) {
      return examineSecrets(options, runtime);
    }
    const { runChecks } = await import("./doctor/examine.ts");
    return runChecks(options, runtime);
  },
});

/** Looks for secrets in the memory, and with `fix` removes them. Returns the exit code: 1 when secrets are left. */
async function examineSecrets(
  { fix, json }: { fix: boolean; json: boolean },
  runtime: Runtime,
): Promise<number> {
  const { locked } = await import("./forget/remove.ts");
  const { host, memory } = runtime;
  await using store = await runtime.openStore("readwrite");
  const found = await findAll(store);
  const report: ScanReport = {
    found,
    changed: null,
    rewritten: null,
    copies: oldCopies(memory).map(({ path }) => path),
  };
  const isDue = fix && (found.length > 0 || (await store.file.needsCompact()));
  const fixed = isDue ? await locked(runtime, () => fixAll(store)) : null;
  if (fixed === null) await store.secrets.noteFound(found.length);
  // An older version's log may contain the secrets that were removed.
  else if (memory.directory !== null) {
    deleteLog(memory.directory);
    deleteReport(memory.directory);
  }
  const shown = { ...report, ...fixed };
  host.stdout.write(json ? renderJson(scanJson(shown)) : renderScan(shown));
  return found.length > 0 && fixed === null ? 1 : 0;
}

async function findAll({ secrets }: SqliteStore): Promise<FoundSecret[]> {
  const found: FoundSecret[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const step: Awaited<ReturnType<typeof secrets.find>> = await secrets.find(after);
    found.push(...step.found);
    after = step.next;
  }
  return found;
}

async function fixAll({ secrets, file }: SqliteStore): Promise<{ changed: number; rewritten: boolean }> {
  let changed = 0;
  for (let after: number | null = 0; after !== null; ) {
    const step: Awaited<ReturnType<typeof secrets.clean>> = await secrets.clean(after);
    changed += step.changed;
    after = step.next;
  }
  return { changed, rewritten: await file.compact(FORGET.patienceMs) };
}

/** The result of a scan for secrets, and of their removal. */
interface ScanReport {
  found: readonly FoundSecret[];
  /** Number of turns and other values that were changed; null without a repair. */
  changed: number | null;
  /** True if the file was rewritten without the old bytes; null where there was no need to. */
  rewritten: boolean | null;
  /** Old copies of the database, which are not scanned. */
  copies: readonly string[];
}

/** Maximum number of secrets to list; the rest are only counted. */
const SHOWN = 100;

/** Returns a report for `--json`. */
function scanJson({ found, changed, rewritten, copies }: ScanReport) {
  return {
    found: found.map(({ turnId, place, kind, chars }) => ({ turn: turnId, place, kind, chars })),
    changed,
    rewritten,
    copies,
  };
}

/** Renders a report. Shows the kind and length of a secret, never its value. */
function renderScan({ found, changed, rewritten, copies }: ScanReport): string {
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
  if (changed === null) return 'Remove them with "mementor doctor --secrets --fix".\n';
  const bytes =
    rewritten === false
      ? 'Another process still reads the old file: "mementor forget --finish" removes its bytes.\n'
      : "";
  return `Removed them from ${plural(changed, "place")}. Change those that are still valid.\n${bytes}`;
}

function copiesNote(copies: readonly string[]): string {
  if (copies.length === 0) return "";
  return `Old copies of the database are not scanned; "mementor forget --backups" deletes them:\n${copies.map((copy) => `  ${copy}\n`).join("")}`;
}

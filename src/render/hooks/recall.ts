import { DEFAULTS } from "../../config/defaults.ts";
import { INJECTED_CLOSE, INJECTED_OPEN } from "../../constants.ts";
import type { SearchHit } from "../../search/hits.ts";
import { headline } from "../../text/headline.ts";
import { firstUnits } from "../../text/units.ts";
import { openingWords } from "../../turn/parts.ts";
import { otherClient } from "../client.ts";
import { harmless, PAST_FACTS, quoted } from "./injected.ts";

export interface RecallText {
  text: string;
  /** The turns in the text. Turns that did not fit are not included. */
  turnIds: number[];
}

/** Maximum length of a title or first words. */
const TITLE_CHARS = 70;
/** A turn is omitted if there is no room for at least this much of its passage, in characters. */
const MIN_PASSAGE_CHARS = 80;
const HEADING = `Notes from earlier sessions of this project that may bear on this prompt. ${PAST_FACTS}`;
const SOURCES = {
  vector: "meaning",
  keyword: "words",
  file: "file",
  access: "same files",
  commit: "commit",
  pr: "PR",
} as const;

/**
 * Renders what the prompt hook adds for Claude, within `budget` characters: for each turn its date, title, branch, why
 * it was found, the passage, and the command that shows all of it. The newest turn is last. Null when nothing fits.
 *
 * @param changedFiles by turn, the files that it touched and that have changed since.
 */
export function renderRecall(
  hits: readonly SearchHit[],
  changedFiles: ReadonlyMap<number, readonly string[]> = new Map(),
  budget: number = DEFAULTS.budgets.prompt,
): RecallText | null {
  const kept: { hit: SearchHit; text: string }[] = [];
  let room = budget - [INJECTED_OPEN, HEADING, INJECTED_CLOSE].join("\n").length;
  for (const hit of hits) {
    const text = memory(hit, changedFiles.get(hit.turn.turnId) ?? [], room - 2);
    if (text === null) continue;
    kept.push({ hit, text });
    room -= text.length + 2;
  }
  if (kept.length === 0) return null;
  kept.sort((a, b) => (a.hit.turn.createdAt ?? "").localeCompare(b.hit.turn.createdAt ?? ""));
  const text = [`${INJECTED_OPEN}\n${HEADING}`, ...kept.map((entry) => entry.text)].join("\n\n");
  return { text: `${text}\n${INJECTED_CLOSE}`, turnIds: kept.map(({ hit }) => hit.turn.turnId) };
}

function memory(hit: SearchHit, changed: readonly string[], room: number): string | null {
  const { turn, sources } = hit;
  const where = turn.branch ? `, branch ${oneLine(turn.branch)}` : "";
  const other = otherClient(turn.client);
  const client = other === null ? "" : `, with ${other}`;
  const foreign = turn.foreign ? `, imported from ${oneLine(turn.foreign)}` : "";
  const why = sources.map((source) => SOURCES[source]).join(" + ");
  const head = `## ${turn.createdAt?.slice(0, 10) ?? "undated"}: ${titleOf(hit)}${where}${client}${foreign} (found by ${why})`;
  const since = changed.length === 0 ? "" : `\nChanged since: ${changed.slice(0, 3).map(oneLine).join(", ")}`;
  const foot = `\nWhole turn: mementor show ${turn.turnId}`;
  const left = room - head.length - since.length - foot.length - 1;
  const passage = quoted(harmless(hit.passage));
  if (left < Math.min(MIN_PASSAGE_CHARS, passage.length)) return null;
  return `${head}\n${passage.length <= left ? passage : `${firstUnits(passage, left - 1)}…`}${since}${foot}`;
}

function titleOf({ turn }: SearchHit): string {
  const words = turn.sessionTitle ?? headline(openingWords(turn));
  const line = oneLine(words.slice(0, 4 * TITLE_CHARS));
  return line.length <= TITLE_CHARS ? line : `${firstUnits(line, TITLE_CHARS - 1).replace(/\s\S*$/, "")}…`;
}

function oneLine(text: string): string {
  return harmless(text).replace(/\s+/g, " ").trim();
}

import { DEFAULTS } from "../../config/defaults.ts";
import { INJECTED_CLOSE, INJECTED_OPEN } from "../../constants.ts";
import type { SearchHit } from "../../search/hits.ts";
import { headline } from "../../text/headline.ts";
import { compareTimes } from "../../text/times.ts";
import { firstUnits } from "../../text/units.ts";
import { openingWords } from "../../turn/parts.ts";
import { heldWithWhom } from "../client.ts";
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
/** How much is quoted of a turn that was replaced, and of a later one beside it. */
const REPLACED_CHARS = 120;
const LATER_CHARS = 200;
const HEADING = `Notes from earlier sessions of this project that may bear on this prompt. ${PAST_FACTS}`;
const OPENING_LABEL = /^\[\w+\] /;
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
 * it was found, the passage, what it replaced or what was said later, and the command that shows all of it. The newest
 * turn is last. Null when nothing fits.
 *
 * @param changedFiles by turn, the files that it touched and that have changed since.
 */
export function renderRecall(
  hits: readonly SearchHit[],
  changedFiles: ReadonlyMap<number, readonly string[]> = new Map(),
  { later = new Map(), budget = DEFAULTS.budgets.prompt }: RecallTextOptions = {},
): RecallText | null {
  const kept: (Told & { text: string })[] = [];
  let room = budget - [INJECTED_OPEN, HEADING, INJECTED_CLOSE].join("\n").length;
  for (const told of withReplaced(hits, later)) {
    const text = memory(told, changedFiles.get(told.hit.turn.turnId) ?? [], room - 2);
    if (text === null) continue;
    kept.push({ ...told, text });
    room -= text.length + 2;
  }
  if (kept.length === 0) return null;
  kept.sort((a, b) => compareTimes(a.hit.turn.createdAt, b.hit.turn.createdAt));
  const text = [`${INJECTED_OPEN}\n${HEADING}`, ...kept.map((entry) => entry.text)].join("\n\n");
  const turnIds = kept.flatMap((told) =>
    [told.hit, ...told.replaced, ...told.later].map(({ turn }) => turn.turnId),
  );
  return { text: `${text}\n${INJECTED_CLOSE}`, turnIds };
}

export interface RecallTextOptions {
  /** Later turns that may have replaced a hit, by the hit's turn. */
  later?: ReadonlyMap<number, SearchHit>;
  budget?: number;
}

/** A turn with the older ones in the answer that it replaced, and the later one that may have replaced it. */
interface Told {
  hit: SearchHit;
  replaced: SearchHit[];
  later: SearchHit[];
}

/** Puts each replaced turn with the one that replaced it, at the place of the better of the two. */
function withReplaced(hits: readonly SearchHit[], laterOf: ReadonlyMap<number, SearchHit>): Told[] {
  const byId = new Map(hits.map((hit) => [hit.turn.turnId, hit]));
  const told = new Map<SearchHit, Told>();
  for (const hit of hits) {
    const newer = byId.get(hit.replacedBy?.turnId ?? -1);
    const shown = newer ?? hit;
    const later = laterOf.get(shown.turn.turnId);
    const entry = told.get(shown) ?? { hit: shown, replaced: [], later: later ? [later] : [] };
    told.set(shown, entry);
    if (newer) entry.replaced.push(hit);
  }
  return [...told.values()];
}

function replacedLine({ turn, passage }: SearchHit): string {
  return `Replaces what was said on ${dateOf(turn)} (turn ${turn.turnId}): ${inBrief(passage, REPLACED_CHARS)}`;
}

function laterLine({ turn, passage }: SearchHit): string {
  return `Later on this matter, ${dateOf(turn)} (turn ${turn.turnId}): ${inBrief(passage, LATER_CHARS)}`;
}

function inBrief(passage: string, chars: number): string {
  const words = oneLine(passage.replace(OPENING_LABEL, ""));
  return `"${words.length <= chars ? words : `${firstUnits(words, chars - 1)}…`}"`;
}

function changedLine(changed: readonly string[]): string[] {
  return changed.length === 0 ? [] : [`Changed since: ${changed.slice(0, 3).map(oneLine).join(", ")}`];
}

function memory({ hit, replaced, later }: Told, changed: readonly string[], room: number): string | null {
  const { turn, sources } = hit;
  const where = turn.branch ? `, branch ${oneLine(turn.branch)}` : "";
  const held = heldWithWhom(turn);
  const client = held === null ? "" : `, ${held}`;
  const foreign = turn.foreign ? `, imported from ${oneLine(turn.foreign)}` : "";
  const why = sources.map((source) => SOURCES[source]).join(" + ");
  const since = replaced.length === 0 ? "" : "Since ";
  const head = `## ${since}${dateOf(turn)}: ${titleOf(hit)}${where}${client}${foreign} (found by ${why})`;
  const lines = [...replaced.map(replacedLine), ...later.map(laterLine), ...changedLine(changed)];
  const notes = lines.map((line) => `\n${line}`).join("");
  const foot = `\nWhole turn: mementor show ${turn.turnId}`;
  const left = room - head.length - notes.length - foot.length - 1;
  const passage = quoted(harmless(hit.passage));
  if (left < Math.min(MIN_PASSAGE_CHARS, passage.length)) return null;
  return `${head}\n${passage.length <= left ? passage : `${firstUnits(passage, left - 1)}…`}${notes}${foot}`;
}

function dateOf({ createdAt }: SearchHit["turn"]): string {
  return createdAt?.slice(0, 10) ?? "undated";
}

function titleOf({ turn }: SearchHit): string {
  const words = turn.sessionTitle ?? headline(openingWords(turn));
  const line = oneLine(words.slice(0, 4 * TITLE_CHARS));
  return line.length <= TITLE_CHARS ? line : `${firstUnits(line, TITLE_CHARS - 1).replace(/\s\S*$/, "")}…`;
}

function oneLine(text: string): string {
  return harmless(text).replace(/\s+/g, " ").trim();
}

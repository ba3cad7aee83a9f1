import { oneLine, printableWords } from "../../../agents/notices.ts";
import type { ProjectName } from "../../../project/memories.ts";
import { projectJson } from "../../../recall/across/coverage.ts";
import type { Confidence } from "../../../recall/confidence.ts";
import type { SearchHit } from "../../../recall/hits.ts";
import { nextModelLine } from "../../../recall/next-model.ts";
import type { RatedHit } from "../../../recall/search.ts";
import {
  agentLabel,
  originJson,
  promptOnlyJson,
  promptOnlyWords,
  saidWhere,
} from "../../../recall/telling/origin.ts";
import { HAS_WORDS, saidIn, spokenLines, statementJson, withSenders } from "../../../recall/telling/said.ts";
import { senderLabel } from "../../../recall/telling/speaker.ts";
import type { TurnOutcome } from "../../../store/browse.ts";
import { headline } from "../../../text/headline.ts";
import { shortHash } from "../../../text/identifiers.ts";
import { printable } from "../../../text/invisible.ts";
import { countPieces, plural } from "../../../text/numbers.ts";
import { cutToWords, widthOf, wrap } from "../../../text/width.ts";
import { openingWords, partText } from "../../../turn/parts.ts";
import { askedOrPasted, turnTitle } from "../../../turn/title.ts";
import { PIPE_WIDTH, renderWhen, type Screen, type Style } from "../../terminal/screen.ts";

/** Returns a result for `--json`. `project` and its path are only present when several projects were searched. */
export function hitJson(
  { turn, distance, score, sources, quoted, confidence }: SearchHit & { confidence?: Confidence },
  project?: ProjectName,
) {
  const { passage, statement } = quoted();
  return {
    turn_id: turn.turnId,
    session_id: turn.sessionId,
    client: turn.client,
    line_index: turn.lineIndex,
    agent_id: turn.agentId,
    time: turn.createdAt,
    branch: turn.branch,
    distance: distance === null ? null : rounded(distance),
    score: rounded(score),
    confidence,
    sources,
    statement: statement && statementJson(statement),
    passage: withSenders(passage, turn),
    passage_by: spokenLines(passage, turn).find(({ words }) => HAS_WORDS.test(words))?.speaker ?? null,
    text: withSenders(turn.text, turn),
    role: turn.role,
    origin: turn.origin,
    session_title: turn.sessionTitle,
    foreign: turn.foreign,
    ...originJson(turn),
    ...promptOnlyJson(turn),
    ...(project !== undefined && projectJson(project)),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** The results of a search, as shown to a person. */
export interface SearchView {
  hits: readonly ShownHit[];
  confidence: Confidence;
}

export interface ShownHit {
  hit: RatedHit;
  /** The words of the query, to highlight. */
  words: readonly string[];
  outcome: TurnOutcome | undefined;
  /** After a search of several projects: the name of the hit's project, and the start of a command line for its memory. */
  project?: string;
  program?: string;
}

/** Number of results to show when none answers the query. */
const NEAREST = 3;
/** Maximum lines of a result's passage. On a terminal, five results fit on 24 lines, without blank lines between them. */
const PASSAGE_LINES = { terminal: 2, pipe: 4 } as const;
const MIN_TITLE_WORDS = 4;
const INDENT = "    ";

/** Returns the results to print: only the nearest ones if none seems to answer the query. */
export function hitsToPrint<Hit>(hits: readonly Hit[], confidence: Confidence): readonly Hit[] {
  return confidence === "weak" ? hits.slice(0, NEAREST) : hits;
}

/** Renders results for a terminal, best first: what the turn was about, when and where, and what it says on the query. */
export function renderHits({ hits, confidence }: SearchView, screen: Screen): string {
  if (hits.length === 0) return "Nothing was found.\n";
  const isAnswer = confidence !== "weak";
  const shown = hitsToPrint(hits, confidence);
  const head = isAnswer ? "" : "Nothing here seems to answer this. Nearest:\n\n";
  return head + shown.map((each) => renderHit(each, screen)).join(screen.width === null ? "\n" : "");
}

/** Says that the memory is switching to another model, and which search answered meanwhile. */
export function renderNextModel(
  next: { id: string; pending: number } | null,
  { width, style }: Pick<Screen, "width" | "style">,
): string {
  if (next === null) return "";
  return `\n${wrap(nextModelLine(next), width ?? PIPE_WIDTH).join("\n")}\n`.replace(/[^\n]+/g, (line) =>
    style.dim(line),
  );
}

/** Says how much of the memory cannot be searched by meaning yet, because chunks have no vectors. */
export function renderPending(chunks: number, { width, style, program = "mementor" }: Screen): string {
  if (chunks === 0) return "";
  const text = `Not yet in the search by meaning: ${countPieces(chunks)}. "${program} ingest --now" adds ${chunks === 1 ? "it" : "them"}.`;
  return `\n${wrap(text, width ?? PIPE_WIDTH).join("\n")}\n`.replace(/[^\n]+/g, (line) => style.dim(line));
}

function renderHit(
  { hit, words, outcome, project, program }: ShownHit,
  { style, width, now, program: here = "mementor" }: Screen,
): string {
  const { turn, confidence } = hit;
  const columns = width ?? PIPE_WIDTH;
  const room = Math.max(10, columns - INDENT.length);
  const number = `${turn.turnId}`;
  const about = style.text(oneLine(titleOf(turn)));
  const title = cutToWords(about, Math.max(10, columns - number.length - 2), style.ellipsis);
  const show = `${printable(program ?? here)} show ${turn.turnId}`;
  const isShort = width !== null && program === undefined && here === "mementor";
  const isTitled = hit.sources.length === 1 && hit.sources[0] === "title";
  const facts = factsOf(turn, outcome, { confidence, project, now, isTitled });
  const separated = fitFacts(facts, isShort ? [show, `show ${turn.turnId}`] : [], { room, style });
  const maxLines = width === null ? PASSAGE_LINES.pipe : PASSAGE_LINES.terminal;
  const lines = wrap(
    style.text(printableWords(saidIn(hit, titleOf(turn)))),
    Math.max(20, room),
    maxLines,
    style.ellipsis,
  );
  return [
    `${style.cyan(number)}  ${style.bold(title)}\n`,
    `${INDENT}${style.dim(separated)}\n`,
    ...lines.map((text) => `${INDENT}${highlight(text, words, style)}\n`),
    ...(isShort ? [] : [`${INDENT}${style.dim(show)}\n`]),
  ].join("");
}

/** Returns a turn's title: its own words, which differ within a session, preceded by the session's title if they are too few. */
function titleOf(turn: RatedHit["turn"]): string {
  const words =
    partText(turn, "prompt") === null ? headline(openingWords(turn)) : askedOrPasted(openingWords(turn));
  const isShort = words.split(" ").length < MIN_TITLE_WORDS;
  return isShort && turn.sessionTitle !== null
    ? `${turn.sessionTitle}: ${words}`
    : turnTitle(turn, turn.sessionTitle);
}

/** A fact about a result. A line that is too long loses the fact with the lowest `dropOrder` first. */
interface Fact {
  text: string;
  dropOrder: number;
}

function sentBy(turn: RatedHit["turn"]): string | null {
  const sender = turn.role === "turn" ? senderLabel(turn) : null;
  return sender === null ? null : `sent by ${sender}`;
}

/** Returns the facts about a result, most important first. The branch is left out first, then facts from the end. */
function factsOf(
  turn: RatedHit["turn"],
  outcome: TurnOutcome | undefined,
  {
    confidence,
    project,
    now,
    isTitled,
  }: { confidence: Confidence; project: string | undefined; now: Date; isTitled: boolean },
): Fact[] {
  const [commit, ...more] = outcome?.commits ?? [];
  const facts = [
    confidence,
    project,
    isTitled && `in "${turn.sessionTitle}"`,
    renderWhen(turn.createdAt, now),
    saidWhere(turn),
    promptOnlyWords(turn),
    turn.agentId === null ? sentBy(turn) : "by a subagent",
    commit && `commit ${shortHash(commit)}${more.length > 0 ? ` and ${more.length} more` : ""}`,
    turn.branch,
    outcome && outcome.files > 0 && plural(outcome.files, "file"),
    agentLabel(turn.client),
  ];
  return facts.flatMap((text, at) =>
    typeof text === "string" && text !== ""
      ? [{ text, dropOrder: text === turn.branch ? 0 : facts.length - at }]
      : [],
  );
}

/**
 * Joins as many facts as fit on a line, at least the first, and appends a command. `commands` lists its forms, the shortest last.
 * Leaves out facts before the shortest form.
 */
function fitFacts(
  facts: readonly Fact[],
  commands: readonly string[],
  { room, style }: { room: number; style: Style },
): string {
  const lineOf = (shown: readonly Fact[], command: string | undefined) =>
    [...shown.map(({ text }) => text), ...(command === undefined ? [] : [command])]
      .map((part) => style.text(oneLine(part)))
      .join(` ${style.dot} `);
  const whole = commands.map((command) => lineOf(facts, command)).find((line) => widthOf(line) <= room);
  if (whole !== undefined) return whole;
  const going = facts.slice(1).toSorted((a, b) => a.dropOrder - b.dropOrder);
  let shown = facts;
  const shortest = commands.at(-1);
  for (const fact of going) {
    if (widthOf(lineOf(shown, shortest)) <= room) break;
    shown = shown.filter((each) => each !== fact);
  }
  return lineOf(shown, shortest);
}

/** Highlights the words of the query, ignoring case. */
function highlight(text: string, words: readonly string[], style: Style): string {
  const known = words.filter((word) => word.length > 2).map((word) => RegExp.escape(word));
  if (known.length === 0) return text;
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${known.join("|")})`, "giu"), (word) =>
    style.yellow(word),
  );
}

import type { ProjectName } from "../project/memories.ts";
import type { Confidence } from "../search/confidence.ts";
import type { SearchHit } from "../search/hits.ts";
import type { RatedHit, SearchResult } from "../search/search.ts";
import type { TurnOutcome } from "../store/browse/types.ts";
import { headline } from "../text/headline.ts";
import { printable } from "../text/printable.ts";
import { cutToWidth } from "../text/width.ts";
import { wrap } from "../text/wrap.ts";
import { openingWords } from "../turn/parts.ts";
import { readable } from "../turn/readable.ts";
import { projectJson } from "./across.ts";
import { heldWith } from "./client.ts";
import { oneLine } from "./list.ts";
import { plural } from "./plural.ts";
import { replacedText } from "./replaced.ts";
import type { Screen } from "./screen.ts";
import type { Style } from "./style.ts";
import { renderAgo } from "./time.ts";

/** A result as `--json` gives it. `project` and its path are only present when several projects were searched. */
export function hitJson(
  {
    turn,
    distance,
    score,
    sources,
    passage,
    confidence,
    replacedBy,
  }: SearchHit & { confidence?: Confidence },
  project?: ProjectName,
) {
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
    ...(confidence !== undefined && { confidence }),
    sources,
    passage,
    replaced_by: replacedBy && { turn_id: replacedBy.turnId, since: replacedBy.since },
    text: turn.text,
    role: turn.role,
    origin: turn.origin,
    session_title: turn.sessionTitle,
    foreign: turn.foreign,
    ...(project !== undefined && projectJson(project)),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

function roundedAll<Name extends string>(values: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = Object.entries<number>(values).map(([name, value]) => [name, rounded(value)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** What a search shows a person. */
export interface ShownSearch {
  hits: readonly ShownHit[];
  confidence: Confidence;
}

export interface ShownHit {
  hit: RatedHit;
  /** The words of the query, to highlight. */
  words: readonly string[];
  outcome: TurnOutcome | undefined;
  /** When several projects were searched: the name of this hit's, and the start of a command line for its memory. */
  project?: string;
  program?: string;
}

/** Of an answer that does not answer the query only the nearest are shown. */
const NEAREST = 3;
const PASSAGE_LINES = 3;
const MIN_TITLE_WORDS = 4;
/** Width where there is no terminal, in columns. */
const WIDTH = 100;
const INDENT = "    ";

/** Renders results for a terminal, best first: what the turn was about, when and where, and the passage that fits. */
export function renderHits({ hits, confidence }: ShownSearch, screen: Screen): string {
  if (hits.length === 0) return "Nothing was found.\n";
  const isAnswer = confidence !== "weak";
  const shown = isAnswer ? hits : hits.slice(0, NEAREST);
  const head = isAnswer ? "" : "Nothing here seems to answer this. Nearest:\n\n";
  return head + shown.map((each) => renderHit(each, screen)).join("\n");
}

function renderHit(
  { hit, words, outcome, project, program }: ShownHit,
  { style, width, now, program: here = "mementor" }: Screen,
): string {
  const { turn, passage, confidence } = hit;
  const columns = width ?? WIDTH;
  const about = oneLine(titleOf(turn));
  const number = `${turn.turnId}`;
  const title = cutToWidth(about, Math.max(10, columns - number.length - 2));
  const replaced = hit.replacedBy && replacedText(hit.replacedBy);
  const facts = [project, replaced, ...factsOf(turn, outcome, now), confidence];
  const line = cutToWidth(oneLine(facts.filter(Boolean).join(" · ")), Math.max(10, columns - INDENT.length));
  const room = Math.max(20, columns - INDENT.length);
  const lines = wrap(printable(prose(passage)), room, PASSAGE_LINES);
  const body = lines.map((text) => `${INDENT}${highlight(text, words, style)}\n`).join("");
  const show = style.dim(`${INDENT}${printable(program ?? here)} show ${turn.turnId}`);
  return `${style.cyan(number)}  ${style.bold(title)}\n${INDENT}${style.dim(line)}\n${body}${show}\n`;
}

/** What a turn was about: its own words, which differ within a session; the session's title where those are too few. */
function titleOf(turn: RatedHit["turn"]): string {
  const words = headline(openingWords(turn));
  const isShort = words.split(" ").length < MIN_TITLE_WORDS;
  return isShort && turn.sessionTitle !== null ? `${turn.sessionTitle}: ${words}` : words;
}

function factsOf(turn: RatedHit["turn"], outcome: TurnOutcome | undefined, now: Date) {
  const [commit, ...more] = outcome?.commits ?? [];
  return [
    renderAgo(turn.createdAt, now),
    turn.branch,
    outcome && outcome.files > 0 && plural(outcome.files, "file"),
    commit && `commit ${commit.slice(0, 7)}${more.length > 0 ? ` and ${more.length} more` : ""}`,
    heldWith(turn.client),
    turn.agentId && "by a subagent",
    turn.foreign && `imported from ${turn.foreign}`,
  ];
}

/** A passage as a few lines: the words in it, without empty lines. */
function prose(passage: string): string {
  return readable(passage).replace(/\n\s*\n/g, "\n");
}

/** Highlights the words of the query, ignoring case. */
function highlight(text: string, words: readonly string[], style: Style): string {
  const known = words
    .filter((word) => word.length > 2)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (known.length === 0) return text;
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${known.join("|")})`, "giu"), (word) =>
    style.yellow(word),
  );
}

/** All candidates and their scores, as `--explain --json` gives them. */
export function explainJson({ explain: { parts, spread, candidates, hook } }: Pick<SearchResult, "explain">) {
  return {
    hook: {
      answers: hook.trivial === null && hook.gate?.open === true,
      trivial: hook.trivial,
      gate: hook.gate && {
        probability: rounded(hook.gate.probability),
        threshold: hook.gate.threshold,
        base: rounded(hook.gate.base),
        features: roundedAll(hook.gate.features),
        contributions: roundedAll(hook.gate.contributions),
      },
    },
    terms: parts.terms.map(({ term, weight, turnIds }) => ({
      term,
      weight: rounded(weight),
      turns: turnIds?.length ?? null,
    })),
    phrases: parts.phrases,
    numbers: parts.literals.numbers,
    identifiers: parts.literals.identifiers,
    file_hints: parts.fileHints,
    commits: parts.references.commits,
    pr_numbers: parts.references.prNumbers,
    distance_median: spread && rounded(spread.median),
    distance_deviation: spread && rounded(spread.deviation),
    candidates: candidates.map(({ scored: { candidate, turn, score, evidence }, filteredBy }) => ({
      turn_id: turn.turnId,
      session_id: turn.sessionId,
      sources: [...candidate.sources],
      distance: candidate.distance === null ? null : rounded(candidate.distance),
      chunk_keywords: rounded(candidate.chunkKeywords),
      turn_keywords: rounded(candidate.turnKeywords),
      files: candidate.files,
      references: candidate.references,
      score: rounded(score),
      evidence: roundedAll(evidence),
      filtered_by: filteredBy,
    })),
  };
}

/** Renders all candidates and their scores as a table. */
export function renderExplanation(explain: SearchResult["explain"]): string {
  const { terms, phrases, numbers, identifiers, file_hints, candidates, ...rest } = explainJson({ explain });
  const { distance_median, distance_deviation, hook } = rest;
  const words = terms.map(({ term, weight, turns }) => `${term} ${weight.toFixed(1)} (${turns ?? "many"})`);
  const row = (cells: readonly string[]) =>
    cells.map((cell, index) => cell.padStart(index === 0 ? 6 : 9)).join(" ");
  const rows = candidates.map((candidate) =>
    row([
      String(candidate.turn_id),
      candidate.score.toFixed(3),
      candidate.distance?.toFixed(3) ?? "-",
      candidate.chunk_keywords.toFixed(2),
      candidate.turn_keywords.toFixed(2),
      String(candidate.files + candidate.references),
      candidate.filtered_by ?? "",
    ]).concat(`  ${candidate.sources.join("+")}`),
  );
  return [
    `Words     ${printable(words.join(", "))}`,
    `Phrases   ${printable(phrases.join(", "))}`,
    `Names     ${printable([...numbers, ...identifiers].join(", "))}`,
    `Files     ${printable(file_hints.join(", "))}`,
    `Distances ${distance_median === null ? "no vectors" : `median ${distance_median}, deviation ${distance_deviation}`}`,
    `Hook      ${hookLine(hook)}`,
    "",
    row(["turn", "score", "distance", "chunk kw", "turn kw", "named", "left out"]).concat("  found by"),
    ...rows,
    "",
  ].join("\n");
}

/** Says whether the prompt hook would answer, and what contributes to that in logits, the largest contribution first. */
function hookLine({ answers, trivial, gate }: ReturnType<typeof explainJson>["hook"]): string {
  if (trivial !== null) return `would not answer: ${trivial}`;
  if (gate === null) return "would not answer: nothing was found";
  const parts = Object.entries(gate.contributions)
    .filter(([, logits]) => logits !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([name, logits]) => `${name} ${logits > 0 ? "+" : ""}${logits.toFixed(1)}`);
  const verdict = answers ? "would answer" : "would not answer";
  const logits = [`base ${gate.base.toFixed(1)}`, ...parts].join(", ");
  return `${verdict}: probability ${gate.probability.toFixed(2)}, threshold ${gate.threshold.toFixed(2)} (logits: ${logits})`;
}

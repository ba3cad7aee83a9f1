import type { SearchHit } from "../search/hits.ts";
import type { SearchResult } from "../search/search.ts";
import { printable } from "../text/printable.ts";
import { otherClient } from "./client.ts";
import type { Style } from "./style.ts";
import { renderAgo, renderLocalMinute } from "./time.ts";

/** A result as `--json` gives it. `project` is only present when several projects were searched. */
export function hitJson({ turn, distance, score, sources, passage }: SearchHit, project?: string) {
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
    sources,
    passage,
    text: turn.text,
    role: turn.role,
    origin: turn.origin,
    session_title: turn.sessionTitle,
    foreign: turn.foreign,
    ...(project !== undefined && { project }),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

function roundedAll<Name extends string>(values: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = Object.entries<number>(values).map(([name, value]) => [name, rounded(value)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Renders results for a terminal: where each comes from, why it was found, and the passage that matched. */
export function renderHits(
  hits: readonly { hit: SearchHit; project?: string }[],
  words: readonly string[],
  style: Style,
  now: Date,
): string {
  if (hits.length === 0) return "Nothing was found.\n";
  return hits.map(({ hit, project }) => renderHit(hit, project, words, style, now)).join("\n");
}

function renderHit(
  { turn, distance, sources, passage }: SearchHit,
  project: string | undefined,
  words: readonly string[],
  style: Style,
  now: Date,
): string {
  const other = otherClient(turn.client);
  const place = [
    project,
    turn.branch && `on ${turn.branch}`,
    other && `with ${other}`,
    turn.agentId && "by a subagent",
    turn.foreign && `imported from ${turn.foreign}`,
  ];
  const facts = [`${renderLocalMinute(turn.createdAt)}, ${renderAgo(turn.createdAt, now)}`, ...place].filter(
    Boolean,
  );
  const near = distance === null ? "" : ` at distance ${distance.toFixed(2)}`;
  const title = printable(turn.sessionTitle ?? "").replaceAll("\n", " ");
  const head = `${style.bold(`turn ${turn.turnId}`)}  ${printable(facts.join(", "))}`;
  const why = style.dim(`${title ? `"${title}", ` : ""}found by ${sources.join(", ")}${near}`);
  const lines = highlight(printable(passage).trim(), words, style).split("\n");
  return `${head}\n${why}\n${lines.map((line) => `  ${line}`.trimEnd()).join("\n")}\n`;
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
export function explainJson({ explain: { parts, spread, candidates, hook } }: SearchResult) {
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
export function renderExplanation(result: SearchResult): string {
  const { terms, phrases, numbers, identifiers, file_hints, candidates, ...rest } = explainJson(result);
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

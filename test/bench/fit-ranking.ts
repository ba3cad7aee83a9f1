import { parseArgs } from "node:util";
import type { Evidence } from "../../src/recall/evidence.ts";
import { search } from "../../src/recall/search.ts";
import { FUSION_WEIGHTS } from "../../src/recall/weights.ts";
import { halfOf, RANK_HEAD, rankLine, rankOf } from "./measures.ts";
import { openBenchMemory } from "./memory.ts";
import { readQueries } from "./prompts.ts";

/** What the labelled queries have evidence for; the rest needs a session, or commits and pull requests in them. */
const FITTED = [
  "distance",
  "secondDistance",
  "chunkKeywords",
  "turnKeywords",
  "promptWords",
  "promptPhrases",
  "passageWords",
  "numbers",
  "identifiers",
  "length",
  "file",
] as const satisfies readonly (keyof Evidence)[];
/** What speaks against a turn; no other weight may be negative. */
const AGAINST = new Set<string>(["length"]);

const ROUNDS = 250;
const STEP = 0.03;
const SHRINK = 2e-3;
/** Scores are this much steeper as logits. */
const STEEPNESS = 4;
const START = 0.3;

interface Candidate {
  session: string;
  right: boolean;
  x: number[];
}

interface Example {
  half: 0 | 1;
  right: Set<string>;
  candidates: Candidate[];
  weight: number;
}

const { values: options } = parseArgs({
  options: {
    corpus: { type: "string", multiple: true, default: [] },
    queries: { type: "string", multiple: true, default: [] },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

if (options.corpus.length === 0 || options.corpus.length !== options.queries.length) {
  say("usage: fit-ranking --corpus DIR --queries FILE [--corpus DIR --queries FILE]...");
  process.exit(1);
}
const corpora: Example[][] = [];
for (const [i, corpus] of options.corpus.entries())
  corpora.push(await readExamples(corpus, options.queries[i] ?? ""));
const weights = fit(corpora.flat().filter(({ half, weight }) => half === 0 && weight > 0));
const current = FITTED.map((name) => FUSION_WEIGHTS[name]);
say("weights for src/recall/weights.ts:");
say(JSON.stringify(Object.fromEntries(FITTED.map((name, i) => [name, round(weights[i] ?? 0)]))));
for (const [i, corpus] of options.corpus.entries()) {
  say(`\n${corpus}\n${RANK_HEAD}`);
  for (const [label, chosen] of [
    ["fitted", weights],
    ["as in the code", current],
  ] as const)
    for (const half of [0, 1, null]) {
      const examples = (corpora[i] ?? []).filter((one) => half === null || one.half === half);
      say(
        rankLine(
          `${label}, ${half === null ? "all" : `half ${half}`}`,
          examples.map((one) => rank(one, chosen)),
        ),
      );
    }
}

/** Asks every query of a corpus; in all, a corpus weighs as the root of the number of its queries. */
async function readExamples(corpus: string, queries: string): Promise<Example[]> {
  const memory = await openBenchMemory(corpus);
  const examples: Example[] = [];
  try {
    const deps = { store: memory.store.search, embed: (text: string) => memory.embedder.embed(text) };
    for (const { query, sessions } of readQueries(queries)) {
      const right = new Set(sessions);
      const { explain } = await search({ query, limit: Number.MAX_SAFE_INTEGER }, deps);
      const candidates = explain.candidates
        .filter(({ filteredBy }) => filteredBy === null)
        .map(({ scored: { turn, evidence } }) => ({
          session: turn.sessionId,
          right: right.has(turn.sessionId),
          x: FITTED.map((name) => evidence[name]),
        }));
      examples.push({ half: halfOf(sessions[0] ?? ""), right, candidates, weight: 0 });
    }
  } finally {
    await memory.close();
  }
  const usable = examples.filter(
    ({ half, candidates }) => half === 0 && new Set(candidates.map(({ right }) => right)).size === 2,
  );
  for (const example of usable) example.weight = 1 / Math.sqrt(usable.length);
  return examples;
}

/** Maximises the share of the softmax over a query's candidates that falls to right ones (Adam, L2). */
function fit(examples: readonly Example[]): number[] {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const weights = FITTED.map(() => START);
  const first = FITTED.map(() => 0);
  const second = FITTED.map(() => 0);
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = weights.map((weight) => SHRINK * weight);
    for (const example of examples) addSlope(slope, example, weights, example.weight / total);
    for (const [i, name] of FITTED.entries()) {
      const change = slope[i] ?? 0;
      first[i] = 0.9 * (first[i] ?? 0) + 0.1 * change;
      second[i] = 0.999 * (second[i] ?? 0) + 0.001 * change ** 2;
      const size = Math.sqrt(second[i] / (1 - 0.999 ** round)) + 1e-8;
      const moved = (weights[i] ?? 0) - (STEP * (first[i] / (1 - 0.9 ** round))) / size;
      weights[i] = AGAINST.has(name) ? Math.min(0, moved) : Math.max(0, moved);
    }
  }
  return weights;
}

function addSlope(slope: number[], { candidates }: Example, weights: readonly number[], share: number): void {
  const logits = candidates.map(({ x }) => STEEPNESS * scoreOf(x, weights));
  const most = logits.reduce((a, b) => Math.max(a, b));
  const odds = logits.map((logit) => Math.exp(logit - most));
  const all = odds.reduce((sum, one) => sum + one, 0);
  const right = odds.reduce((sum, one, i) => sum + (candidates[i]?.right ? one : 0), 0);
  for (const [i, { right: isRight, x }] of candidates.entries()) {
    const odd = odds[i] ?? 0;
    const error = (odd / all - (isRight ? odd / right : 0)) * STEEPNESS * share;
    for (const [k, value] of x.entries()) slope[k] = (slope[k] ?? 0) + error * value;
  }
}

function rank({ candidates, right }: Example, weights: readonly number[]): number {
  const ranked = candidates
    .map(({ session, x }) => ({ session, score: scoreOf(x, weights) }))
    .sort((a, b) => b.score - a.score);
  return rankOf(
    ranked.map(({ session }) => session),
    right,
  );
}

function scoreOf(x: readonly number[], weights: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

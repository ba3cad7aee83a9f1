import type { SEARCH_MODES } from "../constants.ts";
import type { HitSource } from "../domain.ts";
import type { Filter } from "../store/filter.ts";
import type { SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";
import { UNSPACED_LETTERS } from "../text/scripts.ts";
import { collectCandidates } from "./candidates.ts";
import { addTitled, type Confidence, leastConfident, rateConfidence, surestFirst } from "./confidence.ts";
import { withoutRepeats } from "./distinct.ts";
import type { DistanceSpread } from "./evidence.ts";
import { type ForeseenStore, type HookDecision, previewHookDecision } from "./foresee.ts";
import type { Scored } from "./fusion.ts";
import { type GateDecision, judgeHits, MeasureCache, type Strictness } from "./gate.ts";
import { buildHits, type SearchHit } from "./hits.ts";
import { buildMatters, inOrder, type Matter, type MatterStore } from "./matter/matter.ts";
import { type QueryParts, queryParts } from "./query.ts";
import { type Ranking, rankCandidates } from "./ranking.ts";
import { limitTime, type TimeLimit } from "./time-limit.ts";

/** Characters of a passage in a terminal. */
const PASSAGE_CHARS = 600;

export interface SearchRequest {
  query: string;
  /** Maximum number of turns. */
  limit: number;
  filter?: Filter;
  /** Maximum length of a passage in characters. The default suits a terminal. */
  passageChars?: number;
  /** Kinds of search to use. The default, `hybrid`, uses all. */
  mode?: (typeof SEARCH_MODES)[number];
  /**
   * Current time, if the asking agent's session is unknown: an unfinished turn may be the asker's own, so it gives no certainty.
   */
  ownMayRunAt?: Date;
  /** The prompt hook's settings, if the answer is to include the hook's decision. */
  hook?: { limit: number; strictness: Strictness } | undefined;
}

export interface SearchDeps {
  store: SearchStore;
  /** Embeds the query. Null, or a promise of null, when that is impossible: then only keywords are searched. */
  embed: ((text: string) => Promise<Float32Array | null>) | null;
  /** Additional data of a memory's file, for the hook's decision; null for a team's database. */
  local?: ForeseenStore | null;
}

export interface SearchResult {
  query: string;
  hits: RatedHit[];
  /** Statements of the best results grouped by matter: at most three, most relevant first. */
  matters: Matter[];
  /** Certainty that the hits answer the query. */
  confidence: Confidence;
  /** `gate` has the probability that the memory answers; null when nothing was found. `hook` is null unless requested. */
  explain: Explanation & { gate: GateDecision | null; hook: HookDecision | null };
}

/** A hit with the certainty that it alone answers the query. */
export interface RatedHit extends SearchHit {
  confidence: Confidence;
}

/** All candidates and decisions, for `--explain`. */
export interface Explanation {
  parts: QueryParts;
  spread: DistanceSpread | null;
  /** Every candidate, best first, with the reason why it was left out, and its rating if any. */
  candidates: {
    scored: Scored;
    filteredBy: "distance" | "word" | "repeat" | "rank" | null;
    confidence?: Confidence | undefined;
  }[];
}

/** Answers a query from the command line or MCP, without enrichment and without the gate. */
export async function search(
  request: SearchRequest,
  { store, embed, local = null }: SearchDeps,
): Promise<SearchResult> {
  // Embeds before the snapshot: the caller may ask the store for its model, and a server's only connection is busy during a
  // snapshot.
  const vector = request.mode === "keyword" || embed === null ? null : await embed(request.query);
  return store.snapshot((view, browse) => answerFrom(request, vector, { search: view, browse, local }));
}

async function answerFrom(
  request: SearchRequest,
  vector: Float32Array | null,
  { search: store, browse, local }: MatterStore & { search: SearchStore; local: ForeseenStore | null },
): Promise<SearchResult> {
  const limit = limitTime(browse, request.filter ?? {});
  const { turns, rated, rest, rateBy, ...answer } = await foundFor(request, vector, {
    ...{ view: store, browse, local },
    withoutLater: limit.withoutLater,
  });
  const { parts } = answer.explain;
  const best = rated.map(({ scored }) => scored);
  const matters = await buildMatters(
    best.slice(0, RATED),
    { parts, turns },
    { search: store, browse: limit.browse },
    [...best.slice(RATED), ...rest],
  );
  const confidence = rateBy(matters);
  const confidences = new Map(rated.map((one) => [one.scored, leastConfident(confidence, one.confidence)]));
  const ordered = inOrder(best, matters, (scored) => confidences.get(scored) ?? "weak");
  // A further note may stand with the matter that it is on.
  const placed = new Set(ordered.map(({ scored }) => scored));
  const behind = rest.filter((scored) => !placed.has(scored));
  const all = [...ordered, ...behind.map((scored) => ({ scored, confidence }))];
  const shown = all.slice(0, request.limit);
  const hits = await buildHits(
    shown.map(({ scored }) => scored),
    parts,
    store,
    request.passageChars ?? PASSAGE_CHARS,
  );
  const candidates = all.map(({ scored }, i) => ({
    scored,
    filteredBy: i < request.limit ? null : ("rank" as const),
    confidence: ordered[i]?.confidence,
  }));
  return {
    query: request.query,
    ...answer,
    ...{ matters, confidence },
    hits: hits.map((hit, i) => ({ ...hit, confidence: shown[i]?.confidence ?? confidence })),
    explain: { ...answer.explain, candidates: [...candidates, ...answer.explain.candidates] },
  };
}

/** The found results, the most certain first, and the ones left out. */
interface Found extends Pick<SearchResult, "confidence" | "explain"> {
  /** Number of turns in the memory, including notes. */
  turns: number;
  rated: Rated[];
  rest: Scored[];
  /** Certainty that the first of these matters answers the query. */
  rateBy: (matters: readonly Matter[]) => Confidence;
}

async function foundFor(
  request: SearchRequest,
  vector: Float32Array | null,
  {
    view: store,
    browse,
    local,
    withoutLater,
  }: Pick<TimeLimit, "withoutLater"> & {
    view: SearchStore;
    browse: MatterStore["browse"];
    local: ForeseenStore | null;
  },
): Promise<Found> {
  const ranking = await rank(request, vector, store);
  const { chunks, ...held } = await store.totals();
  const turns = held.turns + held.notes;
  const memory = { turns, chunks, cohort: ranking.cohort, model: ranking.model };
  const asked = request.mode === "vector" ? await queryParts(request.query, store, turns) : ranking.parts;
  const inTime = await Promise.all(
    ranking.near.map(async (scored) => ({ ...scored, turn: await withoutLater(scored.turn) })),
  );
  const { kept: near, repeats } = withoutRepeats(inTime);
  const measures = new MeasureCache(asked, turns);
  const { ownMayRunAt } = request;
  const mayBeOwn = ({ turn }: Scored) => ownMayRunAt !== undefined && mayStillRun(turn, ownMayRunAt);
  const rate = (scored: readonly Scored[], matters?: readonly Matter[]) =>
    rateConfidence(
      scored.filter((one) => !mayBeOwn(one)),
      asked,
      memory,
      { measures, matters },
    );
  const { found, without } = splitByWord(request.query, near, ({ candidate }) => candidate.sources);
  // A memory is judged by all near results, as in the model's training.
  const all = [...found, ...without];
  const confidence = rate(all);
  const rated = ratedFirst(found, request.limit, confidence, (scored) => rate([scored]));
  return {
    turns,
    rated,
    rest: found.slice(rated.length),
    rateBy: (matters) => {
      const repeats = new Set(matters.flatMap((matter) => matter.repeats));
      return rate(
        all.filter((scored) => !repeats.has(scored)),
        matters,
      );
    },
    confidence,
    explain: {
      parts: ranking.parts,
      spread: ranking.spread,
      candidates: [
        ...without.map((scored) => ({ scored, filteredBy: "word" as const })),
        ...repeats.map((scored) => ({ scored, filteredBy: "repeat" as const })),
        ...ranking.far.map((scored) => ({ scored, filteredBy: "distance" as const })),
      ],
      gate:
        found.length === 0
          ? null
          : judgeHits(all, ranking.parts, memory, "normal", asked === ranking.parts ? measures : undefined),
      hook:
        request.hook === undefined
          ? null
          : await previewHookDecision(
              all,
              { prompt: request.query, parts: asked, memory, vector, ...request.hook },
              { search: store, browse, local },
            ),
    },
  };
}

/** Time without activity after which an unfinished turn counts as over. */
const RUNS_MS = 3_600_000;

/** Tells whether a turn may be unfinished: the agent has not answered after its last call, or only a short time ago. */
function mayStillRun({ provisional, foreign, parts, endedAt, createdAt }: StoredTurn, now: Date): boolean {
  if (!provisional || foreign !== null) return false;
  const isAnswered = parts.some(({ kind }) => kind === "answer");
  const last = Date.parse(endedAt ?? createdAt ?? "");
  return !isAnswered || now.getTime() - last < RUNS_MS;
}

interface Rated {
  scored: Scored;
  confidence: Confidence;
}

/** Number of results to rate and sort at a time, however few are requested. */
const RATED = 20;

/**
 * Rates the best results, `RATED` at a time and at least as many as requested, so that the order is the same for every limit:
 * otherwise pages would repeat or lose results. None is more certain than one above it.
 */
function ratedFirst(
  found: readonly Scored[],
  limit: number,
  ceiling: Confidence,
  rate: (scored: Scored) => Confidence,
): Rated[] {
  const rated: Rated[] = [];
  for (let at = 0; at < Math.max(limit, RATED); at += RATED) {
    const highest = rated.at(-1)?.confidence ?? ceiling;
    const some = found
      .slice(at, at + RATED)
      .map((scored) => ({ scored, confidence: leastConfident(highest, rate(scored)) }));
    rated.push(...surestFirst(some, (one) => one.confidence));
  }
  return rated;
}

async function rank(
  { query, filter = {}, mode = "hybrid" }: SearchRequest,
  vector: Float32Array | null,
  store: SearchStore,
): Promise<Ranking> {
  const held = await store.totals();
  const turns = held.turns + held.notes;
  const parts = mode === "vector" ? bareQuery(query) : await queryParts(query, store, turns);
  const found = await collectCandidates(parts, vector, store, filter);
  await addTitled(found, parts, store, filter);
  return rankCandidates(found, parts, vector, store);
}

/** Returns a query without keywords, for a search by meaning alone. */
function bareQuery(text: string): QueryParts {
  return {
    text,
    terms: [],
    phrases: [],
    fileHints: [],
    references: { commits: [], prNumbers: [] },
    literals: { numbers: [], identifiers: [] },
  };
}

/** Results for a query of one word, best first. */
interface ByWord<Row> {
  /** Results with the word, then those of sessions titled with it; all results if there are none. */
  found: Row[];
  /** Results that are only near in meaning. */
  without: Row[];
}

/**
 * Keeps the results with the word for a query of one word, because such a query asks for its places. In a script without spaces,
 * one word may be a whole question, so near results stay behind the others.
 */
export function splitByWord<Row>(
  query: string,
  rows: readonly Row[],
  sourcesOf: (row: Row) => Iterable<HitSource>,
): ByWord<Row> {
  if (/\s/.test(query.trim())) return { found: [...rows], without: [] };
  const tiers = Map.groupBy(rows, (row) => tierOf([...sourcesOf(row)]));
  const [words = [], titles = [], near = []] = [tiers.get("word"), tiers.get("title"), tiers.get("near")];
  const named = [...words, ...titles];
  if (new RegExp(`[${UNSPACED_LETTERS}]`, "u").test(query))
    return { found: [...named, ...near], without: [] };
  return named.length > 0 ? { found: named, without: near } : { found: near, without: [] };
}

function tierOf(sources: readonly HitSource[]): "word" | "title" | "near" {
  if (sources.some((source) => source !== "vector" && source !== "title")) return "word";
  return sources.includes("title") ? "title" : "near";
}

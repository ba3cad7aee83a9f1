import { type LazyEmbedder, lazyEmbedder } from "../../../embed/optional.ts";
import { type AskChannel, excludeSeen } from "../../../recall/across/asker.ts";
import { changedSince } from "../../../recall/changed-files.ts";
import type { HookDecision } from "../../../recall/foresee.ts";
import { keywordsOnlyNote, type NextModel, nextModelOf } from "../../../recall/next-model.ts";
import { type SearchDeps, type SearchRequest, type SearchResult, search } from "../../../recall/search.ts";
import { renderRecall } from "../../../recall/telling/recall.ts";
import { asksLastState, LAST_TURNS, timeAsked } from "../../../recall/time-asked.ts";
import type { Runtime } from "../../../runtime.ts";
import { programCall } from "../../../setup/program/install-program.ts";
import type { TurnOutcome } from "../../../store/browse.ts";
import type { TypedFilter } from "../../../store/filter.ts";
import type { ReadStore } from "../../../store/store.ts";
import { programCommand } from "../../../text/lines.ts";
import { filterOf } from "../../command-line/option.ts";
import { emptyMemory } from "../../memory.ts";
import { printPaged } from "../../terminal/pager.ts";
import { type EmptyMemory, renderEmptyMemory } from "../../terminal/screen.ts";
import { renderJson, screenOf } from "../../terminal/view.ts";
import { explainJson, type HookText, renderExplanation } from "./explain.ts";
import { hitJson, hitsToPrint, renderHits, renderNextModel, renderPending } from "./text.ts";

export type SearchOptions = TypedFilter & {
  json: boolean;
  pager: boolean;
  explain: boolean;
  withOwn: boolean;
};

/** What one memory answers. */
export interface MemoryResults {
  result: SearchResult;
  /** What the prompt hook's text would hold; null unless it was asked for. */
  hookText: HookText | null;
  outcomes: ReadonlyMap<number, TurnOutcome>;
  /** Chunks that a search by meaning cannot find yet. */
  pendingChunks: number;
  /** The model that takes over when its vectors are complete. */
  nextModel: NextModel | null;
  /** True if the project's memory has no turn at all. */
  empty: EmptyMemory | null;
  /** The time that the question names, where only what was said then was looked through. */
  time: { asked: string; since: string; until: string } | null;
}

/** Searches one memory. */
export async function searchMemory(
  runtime: Runtime,
  store: ReadStore,
  request: Omit<SearchRequest, "filter" | "hook">,
  options: SearchOptions,
): Promise<MemoryResults> {
  await using embedder = embedderOf(runtime, store);
  const read = await filterOf(options, runtime, store.browse);
  const filter = options.withOwn ? read : await excludeSeen(read, runtime, store, commandChannel(runtime));
  const { config } = await runtime.config();
  const { promptK: limit, gate: strictness } = config.search;
  const wanted = { ...request, filter, hook: options.explain ? { limit, strictness } : undefined };
  const { search: view, local } = store;
  const { result, time } = await searchAtTime(wanted, options, runtime.host.now(), {
    ...{ store: view, embed: embedder.embed, local },
  });
  const shown = options.json ? [] : result.hits.map(({ turn }) => turn.turnId);
  const outcomes = await store.browse.outcomes(shown);
  const isByWords = request.mode === "keyword";
  const pendingChunks = isByWords ? 0 : await pendingIn(store);
  const nextModel = isByWords || local === null ? null : await nextModelOf(local);
  const empty = result.hits.length === 0 && local !== null ? await emptyMemory(runtime, view) : null;
  const { hook } = result.explain;
  const hookText = hook && (await hookTextOf(hook, runtime, store));
  return { result, hookText, outcomes, pendingChunks, nextModel, empty, time };
}

/** Default number of turns to list for a time range. */
const TIMED_TURNS = 20;

/**
 * Returns the turns to list for a question that only names a time, or asks where the work stopped; null for any other question.
 */
export function turnsToList(
  query: string,
  { since, until, json, explain, limit }: SearchOptions & { limit?: number | undefined },
  now: Date,
): { heading: string; filter: { limit: number; since?: string; until?: string } } | null {
  if (since != null || until != null || json || explain) return null;
  if (asksLastState(query))
    return { heading: "Where the work was left: the last turns.", filter: { limit: limit ?? LAST_TURNS } };
  const asked = timeAsked(query, now);
  if (asked === null || asked.rest !== null) return null;
  const filter = { limit: limit ?? TIMED_TURNS, ...asked.within };
  return { heading: `What was said then: ${asked.asked}.`, filter };
}

/** Searches the time range that a question names. Searches all times if that finds nothing, or if an option sets a range. */
async function searchAtTime(
  request: SearchRequest,
  { since, until }: SearchOptions,
  now: Date,
  deps: SearchDeps,
): Promise<Pick<MemoryResults, "result" | "time">> {
  const asked = since == null && until == null ? timeAsked(request.query, now) : null;
  if (asked !== null) {
    const query = asked.rest ?? request.query;
    const result = await search({ ...request, query, filter: { ...request.filter, ...asked.within } }, deps);
    if (result.hits.length > 0) return { result, time: { asked: asked.asked, ...asked.within } };
  }
  return { result: await search(request, deps), time: null };
}

/** Describes the command line as an asker. */
export function commandChannel({ host }: Runtime): AskChannel {
  return { by: "command", call: { words: host.argv } };
}

/** Counts the chunks that have no vector yet. On a server they are not counted: that would take longer than the search. */
async function pendingIn({ local }: ReadStore): Promise<number> {
  return local === null ? 0 : local.ingest.pendingCount();
}

/**
 * Prints what was found. Returns the exit code. `source` says who answered where that could be several; `memoryOptions` are
 * the options of a command line that name a memory other than this one.
 */
export async function printFound(
  runtime: Runtime,
  { result, hookText, outcomes, pendingChunks, nextModel, empty, time }: MemoryResults,
  { json, pager, explain }: SearchOptions,
  { source, memoryOptions }: { source?: "team" | "local"; memoryOptions?: readonly string[] } = {},
): Promise<number> {
  const { host } = runtime;
  if (json) {
    const { query, confidence, hits } = result;
    const answer = {
      query,
      confidence,
      ...(time && { time }),
      source,
      ...(pendingChunks > 0 && { pending_chunks: pendingChunks }),
      ...(nextModel && { next_model: { id: nextModel.id, pending_chunks: nextModel.pending } }),
      results: hits.map((hit) => hitJson(hit)),
    };
    host.stdout.write(renderJson({ ...answer, ...(explain && { explain: explainJson(result, hookText) }) }));
    return 0;
  }
  const words = result.explain.parts.terms.map(({ term }) => term);
  const program = memoryOptions && { program: programCommand(memoryOptions) };
  const hits = result.hits.map((hit) => ({
    hit,
    words,
    outcome: outcomes.get(hit.turn.turnId),
    ...program,
  }));
  const screen = screenOf(runtime);
  const text =
    (time === null ? "" : `Only what was said then: ${time.asked}.\n\n`) +
    renderHits({ hits, confidence: result.confidence }, screen) +
    (empty === null ? "" : renderEmptyMemory(empty, screen)) +
    renderPending(pendingChunks, screen) +
    renderNextModel(nextModel, screen);
  const shown = hitsToPrint(result.hits, result.confidence).map(({ turn }) => turn.turnId);
  const printed = { shown, limit: result.hits.length, hookText };
  await printPaged(
    host,
    explain ? `${text}\n${renderExplanation(result.explain, printed, screen)}` : text,
    pager,
  );
  return 0;
}

/** Returns the embedder of the store's model. If it cannot be loaded, reports that to the log and stderr. */
function embedderOf(runtime: Runtime, { models }: ReadStore): LazyEmbedder {
  return lazyEmbedder(
    async () => runtime.openEmbedder("query", (await models.active())?.id),
    async (error) => {
      (await runtime.log()).warn("embedder", { error });
      runtime.host.stderr.write(`${keywordsOnlyNote(error)}\n`);
    },
  );
}

/** Returns the turns that the text of the prompt hook would hold: it is rendered as the hook renders it. */
async function hookTextOf(
  { told }: HookDecision,
  runtime: Runtime,
  { browse }: Pick<ReadStore, "browse">,
): Promise<HookText> {
  const {
    config: { search, budgets },
  } = await runtime.config();
  const found = told.flatMap(({ states }) => states.map(({ conversation }) => conversation.found));
  const changed = await changedSince(found, runtime.project.worktreeRoot, browse, () => false);
  const { host } = runtime;
  const program = programCall(host);
  const options = { limit: search.promptK, budget: budgets.prompt, now: host.now(), program };
  const held = new Set(renderRecall(told, changed, options)?.turnIds);
  const ids = told.flatMap(({ turnIds }) => turnIds);
  return {
    turns: ids.filter((id) => held.has(id)),
    others: [...held].filter((id) => !ids.includes(id)),
  };
}

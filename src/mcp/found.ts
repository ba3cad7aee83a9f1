import * as v from "valibot";
import type { AllProjectsResult } from "../across/search.ts";
import { MCP_LIMITS, MCP_TOKENS, SEARCH_MODES } from "../constants.ts";
import type { MementorError } from "../errors.ts";
import { filterEntries, filtersBut, type TypedFilter } from "../filter/filter.ts";
import type { ProjectName } from "../project/memories.ts";
import { coverageLines } from "../render/across.ts";
import { type AgentText, joinText, named, tell } from "../render/agent-text.ts";
import { type Answer, overhead, renderListAnswer } from "../render/mcp/answer.ts";
import { hitItem } from "../render/mcp/items.ts";
import { byWordsAlone, nextModelLine } from "../render/model.ts";
import type { Confidence } from "../search/confidence.ts";
import { type NextModel, nextModelOf } from "../search/next-model.ts";
import { type RatedHit, type SearchRequest, search } from "../search/search.ts";
import { optional, paging } from "./arguments.ts";
import type { Memory } from "./memory.ts";

/** Arguments of every search but the query. */
export const searchArguments = {
  ...filterEntries(filtersBut()),
  mode: optional(
    v.picklist(SEARCH_MODES, `must be one of ${SEARCH_MODES.join(", ")}`),
    "hybrid (default), keyword for exact words, vector for meaning alone",
  ),
  ...paging(MCP_TOKENS.search),
};

/** Results of one project, or of all. */
export interface Found extends Pick<AllProjectsResult, "byWords" | "leftOut"> {
  hits: readonly { hit: RatedHit; project?: ProjectName }[];
  confidence: Confidence;
  /** Who answered, where that could be several, and that only words were searched for. */
  note?: readonly string[];
  /** The model that takes over when its vectors are complete. */
  nextModel?: NextModel | null;
}

/** Which of the results an answer shows. */
export interface Page {
  limit: number;
  offset: number;
  maxTokens: number;
}

/** What a search is asked for a page: one more than it shows, to know whether more follow. */
export function requestFor(
  query: string,
  mode: SearchRequest["mode"] | null,
  { limit, offset, maxTokens }: Page,
): Omit<SearchRequest, "filter"> {
  return { query, limit: offset + limit + 1, mode: mode ?? "hybrid", passageChars: maxTokens };
}

/** Searches one memory. */
export async function searchOne(
  request: Omit<SearchRequest, "filter">,
  args: TypedFilter,
  memory: Memory,
): Promise<Found> {
  return memory.read(async (store) => {
    const filter = await memory.unseen(args, store);
    const note: string[] = [];
    const onMissing = (reason: MementorError) => note.push(byWordsAlone(reason));
    const { search: view, browse } = store;
    const deps = { store: view, browse, embed: (text: string) => memory.embed(text, store, onMissing) };
    const isAskerKnown = filter.inContext !== undefined;
    const asked = { ...request, filter, ...(!isAskerKnown && { ownMayRunAt: memory.now() }) };
    const { hits, confidence } = await search(asked, deps);
    const embedded = request.mode === "keyword" ? null : store.local;
    const nextModel = embedded && (await nextModelOf(embedded));
    return { hits: hits.map((hit) => ({ hit })), confidence, note, byWords: [], leftOut: [], nextModel };
  });
}

/** Renders what was found; `advice` are lines that belong to the heading. */
export function foundAnswer(
  found: Found,
  { limit, offset, maxTokens }: Page,
  advice: readonly AgentText[] = [],
): Answer {
  const shown = found.confidence === "weak" ? Math.min(limit, MCP_LIMITS.nearRows) : limit;
  const hits = found.hits.slice(offset, offset + shown);
  const leftOut = [...(found.note ?? []), ...coverageLines(found)];
  const { confidence, nextModel: next = null } = found;
  const facts = {
    confidence,
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(next !== null && { next_model: { id: next.id, pending_chunks: next.pending } }),
  };
  // These lines name projects, servers and a model, and quote nothing.
  const about = [...leftOut, ...(next === null ? [] : [nextModelLine(next)])].map(named);
  const heading = joinText([headingOf(found.confidence), ...about, ...advice], "\n");
  // What is only near gets no more room because it stands alone, or because there is little of it.
  const rows =
    found.confidence === "weak"
      ? Math.max(limit, MCP_LIMITS.rows)
      : Math.min(limit, found.hits.length - offset);
  const each = (maxTokens - overhead(heading, facts)) / Math.max(1, rows);
  return renderListAnswer({
    heading,
    offset,
    maxTokens,
    facts,
    empty: joinText([tell`Nothing in the memory matches this query.`, ...about], "\n"),
    items: hits.map(({ hit, project }) => hitItem(hit, each, project)),
    hasMore: found.hits.length > offset + shown,
  });
}

function headingOf(confidence: Confidence): AgentText {
  return confidence === "weak"
    ? tell`Nothing in the memory seems to answer the query (confidence: weak). The nearest turns of earlier sessions:`
    : tell`Turns of earlier sessions for the query, best first (confidence: ${named(confidence)})`;
}

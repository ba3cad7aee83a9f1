import * as v from "valibot";
import { MCP_LIMITS, MCP_TOKENS, SEARCH_MODES } from "../constants.ts";
import type { MementorError } from "../errors.ts";
import type { ProjectName } from "../project/memories.ts";
import { coverageLines } from "../recall/across/coverage.ts";
import type { AllProjectsResult } from "../recall/across/search.ts";
import type { Confidence } from "../recall/confidence.ts";
import type { Matter } from "../recall/matter/matter.ts";
import { keywordsOnlyNote, type NextModel, nextModelLine, nextModelOf } from "../recall/next-model.ts";
import type { QueryParts } from "../recall/query.ts";
import { type RatedHit, type SearchRequest, search } from "../recall/search.ts";
import { type AgentText, joinText, named, tell } from "../recall/telling/agent-text.ts";
import { matterItems } from "../recall/telling/matters.ts";
import type { MatterOutcomes } from "../recall/telling/state-row.ts";
import { filterEntries, filtersBut, type TypedFilter } from "../store/filter.ts";
import type { BrowseStore } from "../store/store.ts";
import { keywordTerms } from "../text/keywords.ts";
import type { Memory } from "./memory.ts";
import {
  type Answer,
  framedAnswer,
  frameText,
  listOverhead,
  quotable,
  renderListAnswer,
} from "./text/answer.ts";
import { hitItem } from "./text/items.ts";
import { optionalInput, pagingInputs } from "./tool.ts";

/** Arguments of every search but the query. */
export const searchArguments = {
  ...filterEntries(filtersBut()),
  mode: optionalInput(
    v.picklist(SEARCH_MODES, `must be one of ${SEARCH_MODES.join(", ")}`),
    "hybrid (default), keyword for exact words, vector for meaning alone",
  ),
  ...pagingInputs(MCP_TOKENS.search),
};

/** Results of one project, or of all. */
export interface ProjectResults extends Pick<AllProjectsResult, "byWords" | "leftOut"> {
  hits: readonly { hit: RatedHit; project?: ProjectName }[];
  confidence: Confidence;
  /** Who answered, where that could be several, and that only words were searched for. */
  note?: readonly string[];
  /** The model that takes over when its vectors are complete. */
  nextModel?: NextModel | null;
  /** The best results of one memory grouped by matter, with their outcomes; absent if nothing is near the query. */
  matters?: readonly Matter[];
  outcomes?: MatterOutcomes;
  /** What the asker was answered before, each answer on one line. */
  answers?: readonly string[];
  /** Names of the query that no earlier session has. */
  unnamed?: readonly string[];
  /** The time that the question names, and whether something of that time answers. */
  time?: { asked: string; since: string; until: string; is_found: boolean };
}

/** Which of the results an answer shows. */
export interface ResultPage {
  limit: number;
  offset: number;
  maxTokens: number;
}

/** Builds the search request for a page: one result more than shown, to detect a next page. */
export function pageRequest(
  query: string,
  mode: SearchRequest["mode"] | null,
  { limit, offset, maxTokens }: ResultPage,
): Omit<SearchRequest, "filter"> {
  return { query, limit: offset + limit + 1, mode: mode ?? "hybrid", passageChars: maxTokens };
}

/** Searches one memory. */
export async function searchOne(
  request: Omit<SearchRequest, "filter">,
  args: TypedFilter,
  memory: Memory,
): Promise<ProjectResults> {
  return memory.read(async (store) => {
    const filter = await memory.unseen(args, store);
    const note: string[] = [];
    const onMissing = (reason: MementorError) => note.push(keywordsOnlyNote(reason));
    const { search: view, browse } = store;
    const deps = { store: view, embed: (text: string) => memory.embed(text, store, onMissing) };
    const isAskerKnown = filter.inContext !== undefined;
    const asked = { ...request, filter, ...(!isAskerKnown && { ownMayRunAt: memory.now() }) };
    const { hits, confidence, matters, explain } = await search(asked, deps);
    const outcomes = await outcomesOf(matters, browse);
    const unnamed = unnamedIn(request.query, explain.parts);
    const embedded = request.mode === "keyword" ? null : store.local;
    const nextModel = embedded && (await nextModelOf(embedded));
    return {
      hits: hits.map((hit) => ({ hit })),
      ...{ confidence, note, byWords: [], leftOut: [], nextModel, matters, outcomes, unnamed },
      answers: filter.inContext?.unread?.answers ?? [],
    };
  });
}

/** What came of the turns of matters: their commits, and the pull requests of their sessions. */
async function outcomesOf(matters: readonly Matter[], browse: BrowseStore): Promise<MatterOutcomes> {
  const conversations = matters.flatMap(({ states }) => states.map(({ conversation }) => conversation));
  const turnIds = conversations.flatMap(({ turns }) => turns.map(({ turnId }) => turnId));
  const prs = new Map<string, readonly number[]>();
  for (const session of new Set(conversations.map(({ found }) => found.sessionId))) {
    const linked = await browse.prs({ limit: MCP_LIMITS.rows, filter: { session } });
    prs.set(session, [...new Set(linked.map(({ prNumber }) => prNumber))]);
  }
  return { turns: await browse.outcomes(turnIds), prs };
}

/** Maximum number of found turns that an answer groups by topic. */
export const MATTERS_TURNS = 20;
/** Characters of an answer by matters, with the frame around it. */
const MATTERS_CHARS = 2_500;

/**
 * Renders what the best turns say on the query, grouped by topic. The other turns follow on later pages, which the cursor names.
 */
export function mattersAnswer(found: ProjectResults, page: ResultPage): Answer {
  const { matters = [], outcomes, confidence, hits, answers = [] } = found;
  if (hits.length === 0 || outcomes === undefined || matters.length === 0) return foundAnswer(found, page);
  const { facts, about } = factsOf(found);
  const isSure = confidence !== "weak";
  const heading = joinText([isSure ? MATTERS_HEADING : NEAREST_HEADING, ...about], "\n");
  const room = {
    chars: MATTERS_CHARS - frameText(heading, tell``).length,
    tokens: page.maxTokens - listOverhead(heading, facts),
  };
  const best = matters.slice(0, page.limit);
  const items = matterItems(best, { confidence, outcomes, answers: isSure ? answers : [], ...room });
  const rest = { ...found, hits: without(best.slice(0, items.length), hits) };
  if (page.offset > 0) return foundAnswer(rest, { ...page, offset: page.offset - 1 }, [], 1);
  return framedAnswer(heading, items, { facts, cursor: isSure && rest.hits.length > 0 ? 1 : null });
}

/** Returns the hits that no shown matter contains. */
function without(told: readonly Matter[], hits: ProjectResults["hits"]): ProjectResults["hits"] {
  const states = told.flatMap(({ states }) => states);
  const turnIds = new Set(states.flatMap((state) => state.found.map(({ turn }) => turn.turnId)));
  return hits.filter(({ hit }) => !turnIds.has(hit.turn.turnId));
}

const MATTERS_HEADING = tell`What earlier sessions say on this, the newest that was found of each matter first:`;
const NEAREST_HEADING = tell`Nothing in the memory surely answers this. If none of the nearest fits, decide yourself:`;

function isNothing({ hits, confidence }: ProjectResults): boolean {
  return hits.length === 0 || confidence === "weak";
}

/** Facts about the whole answer, and the lines that say them: they name projects, servers and a model, and quote nothing. */
function factsOf(found: ProjectResults) {
  const leftOut = [...(found.note ?? []), ...coverageLines(found)];
  const { confidence, nextModel: next = null, unnamed = [], time } = found;
  const facts = {
    confidence,
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(time !== undefined && { time }),
    ...(unnamed.length > 0 && { unknown_names: unnamed }),
    ...(next !== null && { next_model: { id: next.id, pending_chunks: next.pending } }),
  };
  const about = [
    ...(time === undefined ? [] : [timeLine(time)]),
    ...leftOut,
    ...(next === null ? [] : [nextModelLine(next)]),
  ].map(named);
  return { facts, about: [...about, ...(unnamed.length > 0 ? [unnamedLine(unnamed)] : [])] };
}

function timeLine({ asked, is_found: isFound }: NonNullable<ProjectResults["time"]>): string {
  return isFound
    ? `Only what was said then: ${asked}.`
    : `Of that time (${asked}) nothing answers this; this is of any time.`;
}

function unnamedLine(names: readonly string[]): AgentText {
  return tell`No earlier session says ${named(names.map((name) => `\`${quotable(name)}\``).join(", "))}.`;
}

/** Renders what was found, turn by turn; `advice` are lines that belong to the heading, and the cursors begin after `pagesBefore`. Where nothing answers, it says so alone. */
export function foundAnswer(
  found: ProjectResults,
  { limit, offset, maxTokens }: ResultPage,
  advice: readonly AgentText[] = [],
  pagesBefore = 0,
): Answer {
  const { facts, about } = factsOf(found);
  const hits = isNothing(found) ? [] : found.hits.slice(offset, offset + limit);
  const heading = joinText([headingOf(found.confidence), ...about, ...advice], "\n");
  const each =
    (maxTokens - listOverhead(heading, facts)) / Math.max(1, Math.min(limit, found.hits.length - offset));
  return renderListAnswer({
    heading,
    offset: offset + pagesBefore,
    maxTokens,
    facts,
    empty: joinText([tell`Nothing in the memory answers this.`, ...about], " "),
    items: hits.map(({ hit, project }) => hitItem(hit, each, project)),
    hasMore: hits.length > 0 && found.hits.length > offset + limit,
  });
}

function headingOf(confidence: Confidence): AgentText {
  return tell`Turns of earlier sessions for the query, best first (confidence: ${named(confidence)})`;
}

/** Share of general developer texts above which a word is not a name. One text is a share of 0.0006. */
const NAME_SHARE = 0.0008;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_./:-]*[\p{L}\p{N}]/gu;
/** Names at most: a question about something else altogether has many. */
const MOST = 3;

/** Returns the names in a query, as typed, of which no turn of the memory has a part. */
function unnamedIn(query: string, { terms }: Pick<QueryParts, "terms">): string[] {
  const known = new Map(terms.map((term) => [term.term, term]));
  const isUnnamed = (word: string) => {
    const parts = keywordTerms(word, MOST).flatMap((term) => known.get(term) ?? []);
    return (
      parts.length > 0 && parts.every(({ turnIds, share }) => turnIds?.length === 0 && share <= NAME_SHARE)
    );
  };
  return [...new Set(query.match(WORD) ?? [])].filter(isUnnamed).slice(0, MOST);
}

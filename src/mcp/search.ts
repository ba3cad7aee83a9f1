import * as v from "valibot";
import type { AllProjectsResult } from "../across/search.ts";
import { MCP_TOKENS, SEARCH_MODES } from "../constants.ts";
import { filterEntries, filtersBut, type TypedFilter } from "../filter/filter.ts";
import type { ProjectName } from "../project/memories.ts";
import { answeredByTeam, answeredHere, coverageLines } from "../render/across.ts";
import { overhead, renderListAnswer } from "../render/mcp/answer.ts";
import { hitItem } from "../render/mcp/items.ts";
import { attributed } from "../search/attribute.ts";
import type { Confidence } from "../search/confidence.ts";
import { type RatedHit, type SearchRequest, search } from "../search/search.ts";
import { optional, paging, requiredText } from "./arguments.ts";
import type { Memory } from "./memory.ts";
import { ALL_PROJECTS, anyProject, memoryOf } from "./project.ts";
import { defineTool } from "./tool.ts";

export const searchTool = defineTool({
  name: "search",
  title: "Search past sessions",
  description:
    "Find what was said, decided and done in earlier sessions of this project: why something is the way it is, how an error was fixed, what was tried. Ask in plain words, and add exact names, error texts, file names, commit hashes or #PR numbers. Returns passages with their turns, each and all with a confidence; weak means that the memory probably does not know.",
  arguments: {
    query: requiredText("What to look for: a question, an error text, names"),
    ...filterEntries(filtersBut()),
    mode: optional(
      v.picklist(SEARCH_MODES, `must be one of ${SEARCH_MODES.join(", ")}`),
      "hybrid (default), keyword for exact words, vector for meaning alone",
    ),
    ...anyProject,
    team: optional(
      v.boolean("must be true or false"),
      "true asks the server of the team, which also knows what colleagues shared long ago",
    ),
    ...paging(MCP_TOKENS.search),
  },
  async answer(
    { project, team, query, limit, cursor: offset, max_tokens: maxTokens, mode, ...args },
    memory,
  ) {
    const request = { query, limit: offset + limit + 1, mode: mode ?? "hybrid", passageChars: maxTokens };
    const one = () => memoryOf(memory, project);
    const found: Found = team
      ? await searchTeam(request, args, one())
      : project === ALL_PROJECTS
        ? await memory.all.search(request, args)
        : await searchOne(request, args, one());
    const hits = found.hits.slice(offset, offset + limit);
    const leftOut = [...(found.note ?? []), ...coverageLines(found)];
    const facts = { confidence: found.confidence, ...(leftOut.length > 0 && { left_out: leftOut }) };
    const heading = [headingOf(found.confidence), ...leftOut].join("\n");
    const each = (maxTokens - overhead(heading, facts)) / Math.max(1, hits.length);
    return renderListAnswer({
      ...{ heading, offset, maxTokens, facts },
      empty: ["Nothing in the memory matches this query.", ...leftOut].join("\n"),
      items: hits.map(({ hit, project }) => hitItem(hit, each, project)),
      hasMore: found.hits.length > offset + limit,
    });
  },
});

/** Results of one project, or of all. */
interface Found extends Pick<AllProjectsResult, "byWords" | "leftOut"> {
  hits: readonly { hit: RatedHit; project?: ProjectName }[];
  confidence: Confidence;
  /** Who answered, where that could be several. */
  note?: readonly string[];
}

async function searchOne(
  request: Omit<SearchRequest, "filter">,
  args: TypedFilter,
  memory: Memory,
): Promise<Found> {
  return memory.read(async (store) => {
    const filter = await memory.filter(args, store);
    const deps = { store: store.search, embed: (text: string) => memory.embed(text, store) };
    const { hits, confidence } = await search({ ...request, filter }, deps);
    return { hits: hits.map((hit) => ({ hit })), confidence, byWords: [], leftOut: [] };
  });
}

/** Asks the team's server, or the memory here when it does not answer. */
async function searchTeam(
  request: Omit<SearchRequest, "filter">,
  args: TypedFilter,
  memory: Memory,
): Promise<Found> {
  const asked = await memory.team(async ({ store, author, named }) => {
    const filter = await memory.filter(args, store);
    const deps = { store: store.search, embed: (text: string) => memory.embed(text, store) };
    const { hits, confidence } = attributed(await search({ ...request, filter }, deps), author);
    return { hits: hits.map((hit) => ({ hit })), confidence, note: [answeredByTeam(named)] };
  });
  if ("answer" in asked) return { ...asked.answer, byWords: [], leftOut: [] };
  return { ...(await searchOne(request, args, memory)), note: [answeredHere(asked.failure.message)] };
}

function headingOf(confidence: Confidence): string {
  return confidence === "weak"
    ? "Nothing in the memory seems to answer the query (confidence: weak). The nearest turns of earlier sessions:"
    : `Turns of earlier sessions for the query, best first (confidence: ${confidence})`;
}

import * as v from "valibot";
import { MCP_TOKENS, SEARCH_MODES } from "../constants.ts";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { overhead, renderListAnswer } from "../render/mcp/answer.ts";
import { hitItem } from "../render/mcp/items.ts";
import type { Confidence } from "../search/confidence.ts";
import { search } from "../search/search.ts";
import { optional, paging, requiredText } from "./arguments.ts";
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
    ...paging(MCP_TOKENS.search),
  },
  answer: (args, memory) =>
    memory.read(async (store) => {
      const { query, limit, cursor: offset, max_tokens: maxTokens, mode } = args;
      const found = await search(
        {
          query,
          limit: offset + limit + 1,
          filter: await memory.filter(args, store),
          mode: mode ?? "hybrid",
          passageChars: maxTokens,
        },
        { store: store.search, embed: (text) => memory.embed(text, store) },
      );
      const hits = found.hits.slice(offset, offset + limit);
      const facts = { confidence: found.confidence };
      const heading = headingOf(found.confidence);
      const each = (maxTokens - overhead(heading, facts)) / Math.max(1, hits.length);
      return renderListAnswer({
        ...{ heading, offset, maxTokens, facts },
        empty: "Nothing in the memory matches this query.",
        items: hits.map((hit) => hitItem(hit, each)),
        hasMore: found.hits.length > offset + limit,
      });
    }),
});

function headingOf(confidence: Confidence): string {
  return confidence === "weak"
    ? "Nothing in the memory seems to answer the query (confidence: weak). The nearest turns of earlier sessions:"
    : `Turns of earlier sessions for the query, best first (confidence: ${confidence})`;
}

import { requiredText } from "./arguments.ts";
import { foundAnswer, requestFor, searchArguments, searchOne } from "./found.ts";
import { defineTool } from "./tool.ts";

export const searchTool = defineTool({
  name: "search",
  title: "Search past sessions",
  description:
    "Find what was said, decided and done in earlier sessions of this project: why something is the way it is, how an error was fixed, what was tried. Ask in plain words, and add exact names, error texts, file names, commit hashes or #PR numbers. Returns passages with their turns and a confidence; weak means that the memory probably does not know.",
  arguments: {
    query: requiredText("What to look for: a question, an error text, names"),
    ...searchArguments,
  },
  async answer({ query, limit, cursor: offset, max_tokens: maxTokens, mode, ...args }, memory) {
    const page = { limit, offset, maxTokens };
    return foundAnswer(await searchOne(requestFor(query, mode, page), args, memory), page);
  },
});

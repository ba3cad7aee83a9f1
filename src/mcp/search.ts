import { requiredText } from "./arguments.ts";
import { MATTERS_TURNS, mattersAnswer, requestFor, searchArguments, searchOne } from "./found.ts";
import { defineTool } from "./tool.ts";

export const searchTool = defineTool({
  name: "search",
  title: "Search past sessions",
  description:
    "Find what was said, decided and done in earlier sessions of this project: why something is the way it is, how an error was fixed, what was tried. Ask in plain words; add exact names, error texts, file names, commit hashes or #PR numbers. Returns at most three matters, the newest state first, with the user's next words, or one line: nothing.",
  arguments: {
    query: requiredText("What to look for: a question, an error text, names"),
    ...searchArguments,
  },
  async answer({ query, limit, cursor: offset, max_tokens: maxTokens, mode, ...args }, memory) {
    const page = { limit, offset, maxTokens };
    // What matters tell is no longer among the turns that follow them.
    const request = requestFor(query, mode, { ...page, limit: limit + MATTERS_TURNS });
    return mattersAnswer(await searchOne(request, args, memory), page);
  },
});

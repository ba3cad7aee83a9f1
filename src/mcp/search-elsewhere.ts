import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { localAnswerNote, teamAnswerNote } from "../recall/across/coverage.ts";
import { withAuthors } from "../recall/across/server.ts";
import { type SearchRequest, search } from "../recall/search.ts";
import { tell } from "../recall/telling/agent-text.ts";
import type { TypedFilter } from "../store/filter.ts";
import { foundAnswer, type ProjectResults, pageRequest, searchArguments, searchOne } from "./found.ts";
import type { Memory } from "./memory.ts";
import { showTurn } from "./show.ts";
import { defineTool, optionalId, optionalInput, optionalText } from "./tool.ts";

/** Stands for all of the user's projects. */
const ALL_PROJECTS = "*";

export const searchElsewhereTool = defineTool({
  name: "search_elsewhere",
  title: "Search other projects",
  description:
    "Like search, in another project of the user, in all of them, or at the team's server. The user is asked first, since other projects may be private: use it only when they mention another project.",
  arguments: {
    query: optionalText("What to look for: a question, an error text, names"),
    turn: optionalId("With project, instead of query: the number of a turn there, to read it"),
    project: optionalText('Another project of the user, by its path or name, or "*" for all of them'),
    team: optionalInput(
      v.boolean("must be true or false"),
      "Ask the team's server, which also has colleagues' older turns",
    ),
    ...searchArguments,
  },
  async answer(
    { project, team, query, turn, limit, cursor: offset, max_tokens: maxTokens, mode, ...args },
    memory,
  ) {
    const page = { limit, offset, maxTokens };
    if (turn !== null) {
      const there = await elsewhere(memory, project);
      return there.read((store) =>
        showTurn(store, turn, { offset, maxTokens, thinking: true, by: there.by }),
      );
    }
    if (query === null)
      throw new MementorError("usage", "Give a query, or the number of a turn.", {
        hint: "Turn numbers are in other answers.",
      });
    const request = pageRequest(query, mode, page);
    if (team) return foundAnswer(await searchTeam(request, args, memory), page);
    const found =
      project === ALL_PROJECTS
        ? await memory.all.search(request, args)
        : await searchOne(request, args, await elsewhere(memory, project));
    return foundAnswer(found, page, [tell`To read a whole turn: search_elsewhere with project and turn`]);
  },
});

/** Returns the memory of the named project. */
async function elsewhere(memory: Memory, project: string | null): Promise<Memory> {
  if (project !== null && project !== ALL_PROJECTS) return memory.of(project);
  throw new MementorError("usage", "Name the project.", {
    hint: "Use a path or a name as in results; for this project, use search and show.",
  });
}

/** Asks the team's server, or the memory here when it does not answer. */
async function searchTeam(
  request: Omit<SearchRequest, "filter">,
  args: TypedFilter,
  memory: Memory,
): Promise<ProjectResults> {
  const asked = await memory.team(async ({ store, author, memoryOptions }) => {
    const filter = await memory.filter(args, store);
    const deps = {
      store: store.search,
      embed: (text: string) => memory.embed(text, store),
    };
    const { hits, confidence } = withAuthors(await search({ ...request, filter }, deps), author);
    return { hits: hits.map((hit) => ({ hit })), confidence, note: [teamAnswerNote(memoryOptions)] };
  });
  if ("answer" in asked) return { ...asked.answer, byWords: [], leftOut: [] };
  const found = await searchOne(request, args, memory);
  return { ...found, note: [localAnswerNote(asked.failure.message), ...(found.note ?? [])] };
}

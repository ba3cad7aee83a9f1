import type { SearchRequest } from "../recall/search.ts";
import { named, tell } from "../recall/telling/agent-text.ts";
import { asksLastState, LAST_TURNS, type TimeAsked, timeAsked } from "../recall/time-asked.ts";
import type { TypedFilter } from "../store/filter.ts";
import {
  MATTERS_TURNS,
  mattersAnswer,
  type ProjectResults,
  pageRequest,
  type ResultPage,
  searchArguments,
  searchOne,
} from "./found.ts";
import { recentAnswer } from "./lists.ts";
import type { Memory } from "./memory.ts";
import { severalTurns } from "./show.ts";
import type { Answer } from "./text/answer.ts";
import { defineTool, requiredText } from "./tool.ts";

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
    const isTimed = args.since != null || args.until != null;
    if (!isTimed && asksLastState(query)) return lastState(args, page, memory);
    const time = isTimed ? null : timeAsked(query, memory.now());
    if (time !== null) return answerOfTime(time, { query, args, page, mode, memory });
    return mattersAnswer(await searchMatters({ query, args, page, mode, memory }), page);
  },
});

interface Asked {
  query: string;
  args: TypedFilter;
  page: ResultPage;
  mode: SearchRequest["mode"] | null;
  memory: Memory;
}

async function searchMatters({ query, args, page, mode, memory }: Asked): Promise<ProjectResults> {
  // Later pages leave out the turns that the matters quote.
  const request = pageRequest(query, mode, { ...page, limit: page.limit + MATTERS_TURNS });
  return searchOne(request, args, memory);
}

/** Answers from the time that a question names; from all times if that time has nothing on the question. */
async function answerOfTime(time: TimeAsked, asked: Asked): Promise<Answer> {
  const { page, memory } = asked;
  const args = { ...asked.args, ...time.within };
  if (time.rest === null) return recentAnswer(args, page, memory, tell` of ${named(time.asked)}`);
  const found = await searchMatters({ ...asked, query: time.rest, args });
  const isFound = found.hits.length > 0 && (found.matters ?? []).length > 0;
  const answer = isFound ? found : await searchMatters({ ...asked, query: time.rest });
  return mattersAnswer({ ...answer, time: { asked: time.asked, ...time.within, is_found: isFound } }, page);
}

/** Answers where the work was left: the last turns of the last session, each with what was asked and how it ended. */
async function lastState(args: TypedFilter, page: ResultPage, memory: Memory): Promise<Answer> {
  const last = await memory.read(async (store) => {
    const [turn] = await store.browse.recent(1, await memory.unseen(args, store));
    if (turn === undefined) return null;
    const { before } = await store.browse.neighbours(turn.turnId, LAST_TURNS - 1);
    const ids = [...before, turn].map(({ turnId }) => turnId);
    const heading = tell`Where the work was left: the last turns of the last session, in order`;
    return severalTurns(store, ids, { ...page, by: memory.by, heading });
  });
  return last ?? recentAnswer(args, page, memory);
}

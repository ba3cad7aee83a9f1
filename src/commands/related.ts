import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { LIST_ROWS, rows, viewOptions } from "../command/common-options.ts";
import type { Filter } from "../filter/filter.ts";
import type { Related } from "../render/related.ts";
import type { RelatedTo } from "../search/related.ts";
import type { ReadStore } from "../store/contract/store.ts";
import { filterOf, filterOptions } from "./shared/filter.ts";
import { view } from "./shared/view.ts";

export const command = defineCommand({
  name: "related",
  help: { group: "Ask", position: 3 },
  summary: "List sessions that worked on the same files or discussed the same things",
  arguments: { target: required("path|session|turn", v.string()) },
  options: {
    limit: {
      ...rows,
      description: `Maximum number of rows, those that are only similar too (default: ${LIST_ROWS} without these)`,
      schema: v.optional(rows.schema.wrapped),
    },
    ...filterOptions(),
    ...viewOptions,
  },
  examples: ["mementor related src/store.ts", "mementor related 42"],
  async run({ args, options }, runtime) {
    return view(runtime, options, async (store) => {
      const { relatedJson, renderRelated } = await import("../render/related.ts");
      const { tellingOf } = await import("../search/related.ts");
      const to = await relatedTo(store, args.target, runtime.host.cwd);
      const filter = await filterOf(options, runtime, store.browse);
      const limit = options.limit ?? LIST_ROWS;
      const found = await withSummaries(store, to, { limit, filter });
      const related = options.limit === undefined ? tellingOf(found) : found;
      const total = await otherSessions(store, to, filter);
      return {
        json: () => ({ to: targetJson(to), sessions: found.map(relatedJson), total }),
        text: (screen) => {
          const onlySimilar = found.length - related.length;
          const among = { total, limit, onlySimilar, knowsTouched: store.local !== null };
          return renderRelated(related, among, screen);
        },
      };
    });
  },
});

/** Finds what an argument names: a number is a turn; anything else is a stored path or a session. */
async function relatedTo({ browse, search }: ReadStore, typed: string, cwd: string): Promise<RelatedTo> {
  const { findTurn } = await import("./shared/turn.ts");
  const turn = await findTurn(search, typed);
  if (turn) return { turnId: turn.turnId, sessionId: turn.sessionId };
  const { namedFiles } = await import("../search/file-history.ts");
  const {
    paths: [path],
    directories: [below],
  } = await namedFiles(typed, cwd, browse);
  if (below !== undefined) {
    const files = await browse.files({ limit: FILES_BELOW, below });
    return { path: typed, files: files.map((file) => file.path) };
  }
  if (path !== undefined) return { path };
  const session = await browse.session(typed);
  if (session) return { sessionId: session.sessionId };
  const { unknownPath } = await import("../search/unknown.ts");
  throw await unknownPath(typed, browse, "turn, file or session");
}

/** How many files of a directory are looked at. */
const FILES_BELOW = 200;

/** Counts the sessions among which the related ones were looked for. */
async function otherSessions({ browse }: ReadStore, to: RelatedTo, filter: Filter): Promise<number> {
  const { total } = await browse.sessions(filter, { limit: 1 });
  if (!("sessionId" in to)) return total;
  if (filter.session !== undefined) return filter.session === to.sessionId ? 0 : total;
  const own = await browse.sessions({ ...filter, session: to.sessionId }, { limit: 1 });
  return total - own.total;
}

function targetJson(to: RelatedTo) {
  return {
    path: "path" in to ? to.path : null,
    turn_id: "turnId" in to ? to.turnId : null,
    session_id: "sessionId" in to ? to.sessionId : null,
  };
}

async function withSummaries(
  { browse, search, local }: ReadStore,
  to: RelatedTo,
  wanted: { limit: number; filter: Filter },
): Promise<Related[]> {
  const { relatedSessions, wordsOf } = await import("../search/related.ts");
  const text = await wordsOf(to, { browse, search });
  const { promptsOf } = await import("../search/same-matter.ts");
  const prompts = "path" in to ? [] : await promptsOf(to, { browse, search });
  const deps = { browse, search, touched: local?.search ?? null };
  const found = await relatedSessions(to, { ...wanted, text, prompts }, deps);
  const summaries = await browse.summaries(found.map(({ sessionId }) => sessionId));
  const byId = new Map(summaries.map((session) => [session.sessionId, session]));
  return found.flatMap((related) => {
    const session = byId.get(related.sessionId);
    return session ? [{ ...related, session }] : [];
  });
}

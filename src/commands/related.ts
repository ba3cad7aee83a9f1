import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { type Filter, filterEntries, filtersBut } from "../filter/filter.ts";
import { type Related, relatedJson, renderRelated } from "../render/related.ts";
import { type RelatedTo, relatedSessions } from "../search/related.ts";
import { typedPath } from "../search/typed-path.ts";
import type { Store } from "../store/store.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { filterOf } from "./shared/filter.ts";
import { Rows, ViewOptions, view } from "./shared/view.ts";

const Options = v.object({ ...ViewOptions.entries, ...filterEntries(filtersBut()), limit: Rows });

export const run: RunCommand = async ({ args, options: typed }, runtime) => {
  const options = parseOptions(Options, typed);
  return view(runtime, options, async (store) => {
    const to = await target(store, args[0] ?? "", runtime.host.cwd);
    const related = await withSummaries(store, to, {
      limit: options.limit,
      filter: await filterOf(options, runtime, store.browse),
    });
    return {
      json: () => ({ to: targetJson(to), sessions: related.map(relatedJson) }),
      text: (screen) => renderRelated(related, screen),
    };
  });
};

/** A number is a turn; else a path that the memory knows, or a session. */
async function target({ browse, search }: Store, typed: string, cwd: string): Promise<RelatedTo> {
  if (/^\d{1,15}$/.test(typed)) {
    const [turn] = await search.turns([Number(typed)]);
    if (turn) return { turnId: turn.turnId, sessionId: turn.sessionId };
  }
  const { exact, suffix } = typedPath(typed, cwd);
  const [path] = await browse.findPaths(exact, suffix);
  if (path !== undefined) return { path };
  const session = await browse.session(typed);
  if (session) return { sessionId: session.sessionId };
  throw new MementorError("not_found", `The memory has no turn, file or session "${typed}".`, {
    hint: 'Run "mementor files" or "mementor sessions" for what there is.',
  });
}

function targetJson(to: RelatedTo) {
  return {
    path: "path" in to ? to.path : null,
    turn_id: "turnId" in to ? to.turnId : null,
    session_id: "sessionId" in to ? to.sessionId : null,
  };
}

async function withSummaries(
  { browse, search }: Store,
  to: RelatedTo,
  wanted: { limit: number; filter: Filter },
): Promise<Related[]> {
  const found = await relatedSessions(to, wanted, { browse, search });
  const summaries = await browse.summaries(found.map(({ sessionId }) => sessionId));
  const byId = new Map(summaries.map((session) => [session.sessionId, session]));
  return found.flatMap((related) => {
    const session = byId.get(related.sessionId);
    return session ? [{ ...related, session }] : [];
  });
}

import * as v from "valibot";
import { FORGET } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { readTime } from "../filter/time.ts";
import type { Runtime } from "../runtime.ts";
import { typedPath } from "../search/typed-path.ts";
import type { ForgetSelection } from "../store/forget/types.ts";
import type { Store } from "../store/store.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";
import { removeWithConsent } from "./shared/remove.ts";

const Options = v.object({
  match: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(FORGET.leastMatchChars, `needs at least ${FORGET.leastMatchChars} characters`),
    ),
  ),
  before: v.optional(v.string()),
  finish: Flag,
  backups: Flag,
  dryRun: Flag,
  yes: Flag,
  json: Flag,
});

export const run: RunCommand = async ({ args, options: typed }, runtime) => {
  const { match, before, finish, backups, ...options } = parseOptions(Options, typed);
  const [wanted] = args;
  if (wanted === undefined && match === undefined && before === undefined && !finish && !backups)
    throw new MementorError("usage", "Nothing to forget was named.", {
      hint: 'Name a turn, a session or a path, or use "--match" or "--before".',
    });
  const cut = before === undefined ? null : readTime(before, runtime.host.now()).from.toISOString();
  return removeWithConsent(runtime, {
    ...options,
    kind: "forget",
    note: null,
    copies: backups,
    plan: async (store) =>
      store.forget.plan({
        ...(wanted !== undefined && (await target(store, wanted, runtime))),
        ...(match !== undefined && { match }),
        ...(cut !== null && { before: cut }),
      }),
    remove: (store, plan) => store.forget.forget(plan),
  });
};

/** A number is a turn; else a session, or a path that the memory knows. */
async function target({ browse, search }: Store, typed: string, { host }: Runtime): Promise<ForgetSelection> {
  if (/^\d{1,15}$/.test(typed) && (await search.turns([Number(typed)])).length > 0)
    return { turnIds: [Number(typed)] };
  const { exact, suffix } = typedPath(typed, host.cwd);
  const known = await browse.findPaths(exact, suffix);
  const paths = known.some((path) => exact.includes(path)) ? exact : known;
  const session = /^[\w-]+$/.test(typed) ? await browse.session(typed) : null;
  if (session && paths.length > 0)
    throw new MementorError("usage", `"${typed}" is a session and a file.`, {
      hint: `Write "./${typed}" for the file, or the session's whole id: ${session.sessionId}.`,
    });
  if (session) return { sessionId: session.sessionId };
  if (paths === exact) return { paths: exact };
  if (paths.length > 1)
    throw new MementorError("usage", `Several files end in "${typed}".`, {
      hint: ["Which one?", ...paths].join("\n  "),
    });
  if (paths.length === 1) return { paths };
  for (const below of exact)
    if (below !== "" && (await browse.files({ limit: 1, below })).length > 0)
      return { paths: exact.filter((path) => path !== "").map((path) => `${path}/`) };
  throw new MementorError("not_found", `The memory has no turn, session or file "${typed}".`, {
    hint: `For text that it holds, write: mementor forget --match "${typed}"`,
  });
}

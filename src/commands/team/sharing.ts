import { readTime } from "../../filter/time.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { Sharing } from "../../store/team.ts";
import { sharingOf } from "../../team/rules.ts";
import type { TeamOptions } from "./options.ts";

/** Returns the rules that the options of a command name; those in force when it has none. */
export async function rulesFor(
  store: SqliteStore,
  options: TeamOptions,
  { host }: Runtime,
): Promise<Sharing> {
  const membership = await store.team.membership();
  const { branch, onlyMarked, subagents } = options;
  const since = options.since === undefined ? null : readTime(options.since, host.now()).from.toISOString();
  return sharingOf({ since, branch, onlyMarked, subagents }, membership?.sharing ?? null);
}

import { FORGET } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import { renderSyncProblem, renderUnshared, renderUnsharing } from "../../render/team/member.ts";
import { findMemberProject } from "../../team/open.ts";
import { confirm, declined } from "../shared/confirm.ts";
import { namedTurns } from "../shared/named-turns.ts";
import { lockedStep, requireTeam, surroundings, syncTeam } from "../shared/team.ts";
import type { TeamAction } from "./options.ts";

const SEE = "To see what is shared, run: mementor team preview";

/**
 * Unshares the named turns, after it has shown how many. Only an admin unshares those of a colleague.
 *
 * @throws `not_found` when nothing of what is named is shared, `server_denied` for a colleague's turn unless one is
 *   an admin.
 */
export const unshare: TeamAction = async ({ target: typed = "", options }, runtime) => {
  const { host } = runtime;
  const team = await requireTeam(runtime);
  await using store = await runtime.openStore("readwrite");
  const { turnIds } = await store.forget.plan(await namedTurns(store, typed, runtime, SEE));
  const shared = await store.team.sharedOf(turnIds);
  const { own } = shared;
  const colleagues = own.length > 0 ? [] : shared.colleagues;
  if (own.length + colleagues.length === 0)
    throw new MementorError("not_found", `Nothing of "${typed}" is shared.`, {
      hint: SEE,
    });
  if (colleagues.length > 0 && !(await findMemberProject(team, surroundings(runtime))).isAdmin)
    throw new MementorError("server_denied", "Only its author or an admin unshares a colleague's turn.", {
      hint: "To hide it on this machine: mementor forget <turn>",
    });
  if (!options.json) host.stdout.write(renderUnsharing(own.length, colleagues.length));
  if (!options.yes && !(await confirm(host, "Remove this from the team?", unasked())))
    return declined(host, "Nothing was unshared.");
  const signal = host.interrupted();
  const locked = lockedStep(runtime, signal);
  await locked(() => store.team.unshare([...own, ...colleagues]));
  const result = await syncTeam(store, team, runtime, signal).catch((error: unknown) => {
    host.stderr.write(renderSyncProblem(error));
    return null;
  });
  if (await store.file.needsCompact()) await locked(() => store.file.compact(FORGET.patienceMs));
  const outcome = { turns: own.length + colleagues.length, isSynced: result !== null };
  host.stdout.write(options.json ? renderResult(outcome) : renderUnshared(outcome));
  return 0;
};

function unasked(): MementorError {
  return new MementorError("usage", "Nothing was unshared: there is no terminal to confirm on.", {
    hint: 'Add "--yes".',
  });
}

import { FORGET } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import { renderLeaving, renderLeft } from "../../render/team/member.ts";
import type { Runtime } from "../../runtime.ts";
import { saveTeam } from "../../team/settings.ts";
import { ask, canAsk } from "../shared/ask.ts";
import { confirm, declined } from "../shared/confirm.ts";
import { lockedStep, memoryId, noteNextSync, openSince, requireTeam, syncTeam } from "../shared/team.ts";
import type { TeamAction, TeamOptions } from "./options.ts";

/** Leaves the team: removes what was pulled, and with `--erase` the user's own turns from the team. */
export const leave: TeamAction = async ({ options }, runtime) => {
  const { host, paths } = runtime;
  const team = await requireTeam(runtime);
  const store = await runtime.openStore("readwrite");
  try {
    const counts = await store.team.counts(openSince(runtime));
    const pulled = counts.pulled.reduce((sum, { turns }) => sum + turns, 0);
    if (!options.json)
      host.stdout.write(renderLeaving({ project: team.project, pulled, shared: counts.shared }));
    const erases = await erasing(counts.shared, options, runtime);
    if (erases === null || (!options.yes && !(await confirm(host, "Leave the team?", unasked()))))
      return declined(host, "Nothing was changed.");
    const signal = host.interrupted();
    const locked = lockedStep(runtime, signal);
    if (erases) {
      await locked(() => store.team.unshareAll());
      await syncTeam(store, team, runtime, signal);
    }
    const removed = await locked(async () => {
      const turns = await store.team.leave();
      const rewritten = await store.file.compact(FORGET.patienceMs);
      return { turns, rewritten };
    });
    if (removed === null) return declined(host, "Nothing was changed.");
    saveTeam(paths.configDir, memoryId(runtime), null);
    await noteNextSync(store, null, runtime);
    const left = {
      project: team.project,
      removed: removed.turns,
      rewritten: removed.rewritten,
      erased: erases,
      shared: erases ? 0 : counts.shared,
    };
    host.stdout.write(options.json ? renderResult(left) : renderLeft(left));
    return 0;
  } finally {
    await store.close();
  }
};

/** Whether the user's own turns go from the server too; null when the person quits. */
async function erasing(
  shared: number,
  { erase, keep, yes }: TeamOptions,
  { host }: Runtime,
): Promise<boolean | null> {
  if (erase && keep)
    throw new MementorError("usage", "--keep and --erase exclude each other.", {
      hint: "--keep leaves your turns with the team, --erase takes them back.",
    });
  if (erase || keep || yes || shared === 0 || !canAsk(host)) return erase;
  const decision = await ask(host, "Take your own turns back from the team, too?", "no");
  return decision === "quit" ? null : decision === "yes";
}

function unasked(): MementorError {
  return new MementorError("usage", "Nothing was changed: there is no terminal to confirm on.", {
    hint: 'Add "--yes", and "--erase" to take your own turns back.',
  });
}

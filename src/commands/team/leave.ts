import { FORGET } from "../../constants.ts";
import { MementorError, toMementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import { renderLeaving, renderLeft } from "../../render/team/member.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { saveTeam, type TeamSettings } from "../../team/settings.ts";
import { ask, canAsk } from "../shared/ask.ts";
import { confirm, declined } from "../shared/confirm.ts";
import { lockedStep, memoryId, noteNextSync, openSince, requireTeam, syncTeam } from "../shared/team.ts";
import type { TeamAction, TeamOptions } from "./options.ts";

/** Leaves the team: removes what was pulled, and with `--erase` the user's own turns from the team. */
export const leave: TeamAction = async ({ options }, runtime) => {
  const { host, paths } = runtime;
  const team = await requireTeam(runtime);
  await using store = await runtime.openStore("readwrite");
  const before = await store.team.counts(openSince(runtime));
  const pulled = before.pulled.reduce((sum, { turns }) => sum + turns, 0);
  if (!options.json) host.stdout.write(renderLeaving({ ...before, project: team.project, pulled }));
  const erases = await erasing(before.shared, options, runtime);
  if (erases === null || (!options.yes && !(await confirm(host, "Leave the team?", unasked()))))
    return declined(host, "Nothing was changed.");
  const parting = { store, team, runtime, signal: host.interrupted() };
  if (erases) await eraseAll(parting);
  else if (before.removals > 0) await sendRemovals(parting, before.removals, options);
  const { shared, removals } = await store.team.counts(openSince(runtime));
  const removed = await lockedStep(
    runtime,
    parting.signal,
  )(async () => {
    const turns = await store.team.leave();
    const rewritten = await store.file.compact(FORGET.patienceMs);
    return { turns, rewritten };
  });
  if (removed === null) return declined(host, "Nothing was changed.");
  saveTeam(paths.configDir, memoryId(runtime), null);
  await noteNextSync(store, runtime);
  const left = {
    project: team.project,
    removed: removed.turns,
    rewritten: removed.rewritten,
    erased: erases,
    shared: shared + removals,
  };
  host.stdout.write(options.json ? renderResult(left) : renderLeft(left));
  return 0;
};

interface Parting {
  store: SqliteStore;
  team: TeamSettings;
  runtime: Runtime;
  signal: AbortSignal;
}

// What another device of the user shared is known after the first sync.
async function eraseAll({ store, team, runtime, signal }: Parting): Promise<void> {
  await syncTeam(store, team, runtime, signal);
  await lockedStep(runtime, signal)(() => store.team.unshareAll());
  await syncTeam(store, team, runtime, signal);
}

/** Removes from the team what was unshared before. With `--keep`, the next join does it when the server is not reached. */
async function sendRemovals(
  { store, team, runtime, signal }: Parting,
  count: number,
  { keep }: TeamOptions,
): Promise<void> {
  try {
    await syncTeam(store, team, runtime, signal);
  } catch (error) {
    if (keep) return;
    const { code, message } = toMementorError(error);
    const what = count === 1 ? "a turn that you unshared is" : `${count} turns that you unshared are`;
    throw new MementorError(code, `${what} still with the team, and ${message}`, {
      hint: 'Leave later. Or leave now with "--keep": the next join of this memory removes them.',
      cause: error,
    });
  }
}

/** Whether the user's own turns go from the server too; null when the person quits. */
async function erasing(
  shared: number,
  { erase, keep, yes }: TeamOptions,
  { host }: Runtime,
): Promise<boolean | null> {
  if (erase && keep)
    throw new MementorError("usage", "--keep and --erase exclude each other.", {
      hint: "--keep leaves your turns with the team, --erase removes them.",
    });
  if (erase || keep || yes || shared === 0 || !canAsk(host)) return erase;
  const decision = await ask(host, "Remove your own turns from the team, too?", "no");
  return decision === "quit" ? null : decision === "yes";
}

function unasked(): MementorError {
  return new MementorError("usage", "Nothing was changed: there is no terminal to confirm on.", {
    hint: 'Add "--yes", and "--erase" to remove your own turns.',
  });
}

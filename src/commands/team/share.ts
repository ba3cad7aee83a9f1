import { MementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import {
  renderSharingOff,
  renderSharingOn,
  renderSharingPlan,
  renderSyncProblem,
} from "../../render/team/member.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { Sharing } from "../../store/team.ts";
import { previewSharing } from "../../team/preview.ts";
import { ALL_TURNS } from "../../team/rules.ts";
import type { TeamSettings } from "../../team/settings.ts";
import { confirm, declined } from "../shared/confirm.ts";
import { exclusionsOf, lockedStep, openSince, requireTeam, syncTeam } from "../shared/team.ts";
import type { TeamAction, TeamOptions } from "./options.ts";
import { rulesFor } from "./sharing.ts";

/**
 * Starts to share turns, after it has shown which ones, or stops.
 *
 * @throws `usage` for another word than `on` or `off`, and when nobody can be asked; `not_found` when the memory belongs
 *   to no team.
 */
export const share: TeamAction = async ({ target, options }, runtime) => {
  if (target !== "on" && target !== "off")
    throw new MementorError("usage", 'Sharing is switched "on" or "off".', {
      hint: "To see what would leave this machine: mementor team preview",
    });
  const team = await requireTeam(runtime);
  await using store = await runtime.openStore("readwrite");
  return target === "on"
    ? await switchOn(store, team, options, runtime)
    : await switchOff(store, options, runtime);
};

async function switchOn(
  store: SqliteStore,
  team: TeamSettings,
  options: TeamOptions,
  runtime: Runtime,
): Promise<number> {
  const { host } = runtime;
  const signal = host.interrupted();
  const sharing = await rulesFor(store, options, runtime);
  const inForce = (await store.team.membership())?.sharing ?? null;
  const isKept = Bun.deepEquals(sharing, inForce) && !Bun.deepEquals(sharing, ALL_TURNS);
  const found = await previewSharing(store.team, sharing, await exclusionsOf(runtime));
  if (!options.json) host.stdout.write(renderSharingPlan(found, { sharing, project: team.project, isKept }));
  if (!options.yes && !(await confirm(host, "Share these turns, and those to come?", unasked())))
    return declined(host, "Nothing is shared.");
  await set(store, sharing, runtime);
  const result = await syncTeam(store, team, runtime, signal).catch((error: unknown) => {
    host.stderr.write(renderSyncProblem(error));
    return null;
  });
  const counts = await store.team.counts(openSince(runtime));
  const outcome = { sharing, pushed: result?.pushed ?? 0, waiting: counts.waiting };
  host.stdout.write(options.json ? renderResult(outcome) : renderSharingOn(outcome));
  return 0;
}

async function switchOff(store: SqliteStore, options: TeamOptions, runtime: Runtime): Promise<number> {
  await set(store, null, runtime);
  const { shared } = await store.team.counts(openSince(runtime));
  runtime.host.stdout.write(
    options.json ? renderResult({ sharing: null, shared }) : renderSharingOff(shared),
  );
  return 0;
}

async function set(store: SqliteStore, sharing: Sharing | null, runtime: Runtime): Promise<void> {
  const locked = lockedStep(runtime, runtime.host.interrupted());
  await locked(() => store.team.share(sharing));
}

function unasked(): MementorError {
  return new MementorError("usage", "Nothing is shared: there is no terminal to confirm on.", {
    hint: 'See "mementor team preview", then add "--yes".',
  });
}

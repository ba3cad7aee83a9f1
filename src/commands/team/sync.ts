import { FORGET } from "../../constants.ts";
import { renderResult } from "../../render/result.ts";
import { renderSynced } from "../../render/team/member.ts";
import { lockedStep, openSince, requireTeam, syncTeam } from "../shared/team.ts";
import type { TeamAction } from "./options.ts";

/** Syncs with the team now. */
export const sync: TeamAction = async ({ options }, runtime) => {
  const { host } = runtime;
  const team = await requireTeam(runtime);
  const signal = host.interrupted();
  await using store = await runtime.openStore("readwrite");
  const result = await syncTeam(store, team, runtime, signal);
  const locked = lockedStep(runtime, signal);
  if (await store.file.needsCompact()) await locked(() => store.file.compact(FORGET.patienceMs));
  const { waiting } = await store.team.counts(openSince(runtime));
  host.stdout.write(options.json ? renderResult({ ...result, waiting }) : renderSynced(result, waiting));
  return 0;
};

import { toMementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import { renderTeamStatus, type TeamStatus } from "../../render/team/status.ts";
import { nameOf, parseTarget } from "../../store/postgres/client/target.ts";
import type { MemberProject } from "../../store/team.ts";
import { syncState } from "../../team/backoff.ts";
import { findMemberProject } from "../../team/open.ts";
import { openSince, requireTeam, surroundings } from "../shared/team.ts";
import type { TeamAction } from "./options.ts";

/** The server gets this long to say how full the quota is, ms. */
const PATIENCE_MS = 5_000;

/** Shows what is shared and what was pulled, and how the last sync went. */
export const status: TeamAction = async ({ options }, runtime) => {
  const { host } = runtime;
  const team = await requireTeam(runtime);
  await using store = await runtime.openStore("readonly");
  const membership = await store.team.membership();
  const place = await findMemberProject(team, surroundings(runtime), PATIENCE_MS).then(
    (found): { quota: MemberProject | null; problem: TeamStatus["problem"] } => ({
      quota: found,
      problem: null,
    }),
    (error: unknown) => {
      const { message, hint } = toMementorError(error);
      return { quota: null, problem: { message, hint: hint ?? null } };
    },
  );
  const shown: TeamStatus = {
    project: team.project,
    server: nameOf(parseTarget(team.url)),
    author: membership?.author ?? null,
    sharing: membership?.sharing ?? null,
    ...(await store.team.counts(openSince(runtime))),
    lastSync: syncState(await store.team.lastSync()),
    ...place,
  };
  host.stdout.write(options.json ? renderResult(shown) : renderTeamStatus(shown, host.now()));
  return 0;
};

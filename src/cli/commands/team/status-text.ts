import type { MemberProject, Sharing, TeamCounts } from "../../../store/team.ts";
import type { SyncState } from "../../../sync/backoff.ts";
import { printable } from "../../../text/invisible.ts";
import { groupedDigits, plural } from "../../../text/numbers.ts";
import { renderAgo } from "../../../text/when.ts";
import { renderBytes, renderFacts } from "../../terminal/table.ts";
import { renderRules, renderWaiting } from "./member-text.ts";

export interface TeamStatus extends TeamCounts {
  project: string;
  server: string;
  author: string | null;
  sharing: Sharing | null;
  lastSync: SyncState | null;
  /** What the server says of the member; null when it did not answer. */
  quota: MemberProject | null;
  problem: { message: string; hint: string | null } | null;
}

const SLOW_SEARCH =
  "slow at the server: the project has no vector index. An administrator builds it: mementor team index";

/** Renders the team of a memory. */
export function renderTeamStatus(status: TeamStatus, now: Date): string {
  const { project, server, author, sharing, shared, waiting, pulled, hidden } = status;
  return renderFacts([
    ["Project", [`${printable(project)} on ${printable(server)}`]],
    ["You", [printable(author ?? "unknown") + (status.quota?.isAdmin === true ? ", admin" : "")]],
    ["Sharing", [sharing === null ? "off" : `on: ${renderRules(sharing)}`]],
    ["Shared", [plural(shared, "turn") + (waiting === 0 ? "" : `; ${renderWaiting(waiting)}`)]],
    [
      "From others",
      pulled.length === 0
        ? ["nothing yet"]
        : pulled.map(
            ({ author: of, turns, isFormer }) =>
              `${printable(of ?? "your other devices")}${isFormer ? ", no longer a member" : ""}: ${plural(turns, "turn")}`,
          ),
    ],
    ["Hidden", hidden === 0 ? [] : [plural(hidden, "turn")]],
    ["Quota", quotaLines(status)],
    ["Search", status.quota?.lacksIndex === true ? [SLOW_SEARCH] : []],
    ["Last sync", [syncLine(status.lastSync, now)]],
    ["Problem", problemLines(status)],
  ]);
}

function quotaLines({ quota }: TeamStatus): string[] {
  if (quota === null) return [];
  const { usedBytes, maxBytes, usedRows, maxRows } = quota;
  return [
    `${renderBytes(usedBytes)} of ${renderBytes(maxBytes)}, ${groupedDigits(usedRows)} of ${groupedDigits(maxRows)} rows`,
  ];
}

function syncLine(state: SyncState | null, now: Date): string {
  if (state === null || state.succeededAt === null) return "never";
  return renderAgo(state.succeededAt, now);
}

function problemLines({ problem, lastSync }: TeamStatus): string[] {
  const found = problem ?? lastSync?.problem ?? null;
  return found === null
    ? []
    : [`${printable(found.message)}.${found.hint === null ? "" : ` ${printable(found.hint)}`}`];
}

/** The line of `mementor status` for the team: how things are, or why nothing is synced. */
export function teamLine(
  team: { project: string; author: string; waiting: number; lastSync: SyncState | null; isSyncing: boolean },
  now: Date,
): string {
  const { project, author, waiting, lastSync, isSyncing } = team;
  const name = `${printable(project)} as ${printable(author)}`;
  const waits = waiting === 0 ? "" : `; ${renderWaiting(waiting)}`;
  const goesOn = isSyncing ? "; a sync is under way" : "";
  if (lastSync?.problem)
    return `${name}: not synced${waits}${goesOn}: ${printable(lastSync.problem.message)}. ${printable(lastSync.problem.hint ?? "It is tried again by itself.")}`;
  return `${name}: synced ${lastSync?.succeededAt == null ? "never" : renderAgo(lastSync.succeededAt, now)}${waits}${goesOn}`;
}

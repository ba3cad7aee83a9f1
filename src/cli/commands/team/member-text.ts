import { toMementorError } from "../../../errors.ts";
import type { MemberProject, Sharing, SharingDecision, TeamCounts } from "../../../store/team.ts";
import type { SyncState } from "../../../sync/backoff.ts";
import type { SharingPreview } from "../../../sync/team/settings.ts";
import type { SyncResult } from "../../../sync/team/sync.ts";
import { printable } from "../../../text/invisible.ts";
import { groupedDigits, plural } from "../../../text/numbers.ts";
import { renderAgo, renderDate } from "../../../text/when.ts";
import { renderBytes, renderFacts } from "../../terminal/table.ts";

/** Reasons why turns stay on this machine, worded to follow a count. */
export const REASONS: Readonly<Record<SharingDecision, string>> = {
  shared: "shared",
  wanted: "to be shared",
  unshared: "unshared",
  provisional: "of an unfinished session",
  summary: "that summarise and quote others",
  imported: "imported from elsewhere",
  subagent: "of subagents",
  muted: "muted or taken back",
  before: "older than --since",
  branch: "of other branches",
  unmarked: "not marked",
  excluded: "with excluded paths",
};

/** The result of joining a team. */
export interface JoinResult {
  project: string;
  author: string;
  server: string;
  /** Number of turns that this join fetched. */
  pulled: number;
  /** Number of the user's own turns in the team. */
  shared: number;
  sharing: Sharing | null;
  /** True if the server was reached: else the numbers are those of before. */
  isSynced: boolean;
  /** True if the project had no memory before: `enable` was never run here. */
  isNew: boolean;
}

export function renderJoined(joined: JoinResult): string {
  const { pulled, shared, sharing, isSynced, isNew } = joined;
  const came =
    pulled === 0 ? "Nothing new came from the team." : `${plural(pulled, "turn")} came from the team.`;
  const ours = `${plural(shared, "turn")} of yours ${isOrAre(shared)} with the team already`;
  const next =
    sharing !== null
      ? `${ours}, and sharing is on: ${renderRules(sharing)}.\n`
      : `${shared === 0 ? "Nothing of yours is shared yet." : `${ours}; no more is shared.`}
To preview it:  mementor team preview
To share it:    mementor team share on
`;
  return `This memory is ${printable(joined.author)}'s part of "${printable(joined.project)}" on ${printable(joined.server)}.
${isSynced ? `${came}\n` : ""}${isNew ? "The hooks, which fetch and tell what others share, are not installed: mementor enable\n" : ""}
${next}`;
}

/** Says that hooks and their worker may lack a password that only this shell's environment has. */
export function renderPasswordNotKept(): string {
  return `The password comes from the environment and is not stored: where the variable is missing, nothing is synced.
To keep it, join again with --password-stdin, or put it into ~/.pgpass.
`;
}

/** Says that a sync failed and will be retried. */
export function renderSyncProblem(error: unknown): string {
  const { message, hint } = toMementorError(error);
  return `Not synced: ${printable(message)}.${hint === undefined ? "" : ` ${printable(hint)}`}\nThe background worker tries again; nothing is lost.\n`;
}

/** Announces what will leave this machine. `isKept` is true if earlier rules stay in force. */
export function renderSharingPlan(
  { leaving, shared, staying }: SharingPreview,
  { sharing, project, isKept }: { sharing: Sharing; project: string; isKept: boolean },
): string {
  const there = shared === 0 ? "" : `, where ${plural(shared, "turn")} ${isOrAre(shared)} already`;
  const kept = isKept ? " (as before; to drop them, switch sharing off and on)" : "";
  const stay = Object.entries(staying).map(
    ([fate, count]) => `${plural(count, "turn")} ${REASONS[fate as SharingDecision]}`,
  );
  return `${plural(leaving.length - shared, "turn")} will go to "${printable(project)}"${there}.
Rules: ${renderRules(sharing)}${kept}
${stay.length === 0 ? "" : `These stay here: ${stay.join(", ")}.\n`}Turn by turn: mementor team preview
`;
}

export function renderRules({ since, branches, onlyMarked, subagents }: Sharing): string {
  const rules = [
    onlyMarked ? "only turns that are pinned or marked good" : "all turns",
    ...(branches.length === 0 ? [] : [`of branches ${branches.map(printable).join(", ")}`]),
    ...(since === null ? [] : [`since ${renderDate(since)}`]),
    subagents ? "with those of subagents" : "without those of subagents",
  ];
  return rules.join(", ");
}

export function renderSharingOn({ pushed, waiting }: { pushed: number; waiting: number }): string {
  const sent = `Sharing is on. ${plural(pushed, "turn")} went to the team`;
  const rest =
    waiting === 0
      ? ""
      : `; ${plural(waiting, "change")} ${waiting === 1 ? "follows" : "follow"} with the next sync`;
  return `${sent}${rest}. To remove something from it: mementor team unshare <turn|session|path>\n`;
}

export function renderSharingOff(shared: number): string {
  const stays =
    shared === 0
      ? ""
      : ` ${plural(shared, "turn")} of yours ${isOrAre(shared)} still with the team: see "mementor team unshare".`;
  return `Sharing is off: nothing more leaves this machine.${stays}\n`;
}

export function renderSynced(result: SyncResult, waiting: number): string {
  const { pushed, added, updated, removed } = result;
  const parts = [
    `sent ${plural(pushed, "change")}`,
    `got ${plural(added, "new turn")}`,
    ...(updated === 0 ? [] : [`${plural(updated, "turn")} changed`]),
    ...(removed === 0 ? [] : [`${plural(removed, "turn")} removed`]),
    ...(waiting === 0 ? [] : [renderWaiting(waiting)]),
  ];
  return `Synced: ${parts.join(", ")}.\n`;
}

/** Renders how many changes the server has not confirmed. */
function renderWaiting(changes: number): string {
  return `${plural(changes, "change")} ${changes === 1 ? "waits" : "wait"}`;
}

export function renderUnsharing(own: number, colleagues: number): string {
  const whose = colleagues > 0 ? `${plural(colleagues, "turn")} of a colleague` : plural(own, "turn");
  const stays = colleagues > 0 ? "" : " Your own memory keeps what it has.";
  return `${whose} will be removed from the team's database, and from every member's machine at its next sync, and cannot be shared again.${stays}\n`;
}

export function renderUnshared({ turns, isSynced }: { turns: number; isSynced: boolean }): string {
  return isSynced
    ? `Removed ${plural(turns, "turn")} from the team.\n`
    : `${plural(turns, "turn")} will be removed as soon as the server is reached.\n`;
}

export function renderLeaving(team: {
  project: string;
  pulled: number;
  shared: number;
  removals: number;
}): string {
  const { project, pulled, shared, removals } = team;
  const first =
    removals === 0
      ? ""
      : `${plural(removals, "turn")} that you unshared or forgot ${isOrAre(removals)} removed from the team first.\n`;
  return `You leave "${printable(project)}". ${plural(pulled, "turn")} from the team will be removed from this machine.
${plural(shared, "turn")} of yours ${isOrAre(shared)} with the team.
${first}`;
}

export function renderLeft(left: {
  project: string;
  removed: number;
  rewritten: boolean;
  erased: boolean;
  shared: number;
}): string {
  const stays = `${plural(left.shared, "turn")} of yours ${left.shared === 1 ? "stays" : "stay"} with the team.`;
  const own = left.erased ? "Your own turns were removed from the team." : left.shared === 0 ? "" : stays;
  const bytes = left.rewritten
    ? ""
    : "Another process reads the database: the removed bytes are erased when it ends, or with mementor forget --finish.\n";
  const removed = `Left "${printable(left.project)}": ${plural(left.removed, "turn")} from the team removed.`;
  return `${[removed, own].filter((part) => part !== "").join(" ")}\n${bytes}`;
}

function isOrAre(count: number): string {
  return count === 1 ? "is" : "are";
}

export interface TeamStatus extends TeamCounts {
  project: string;
  server: string;
  author: string | null;
  sharing: Sharing | null;
  lastSync: SyncState | null;
  /** The member's quota and rights on the server; null if it did not answer. */
  quota: MemberProject | null;
  problem: { message: string; hint: string | null } | null;
}

/** Renders the team status of a memory. */
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

/** Renders the team's line in `mementor status`: the state of the sync, or why it fails. */
export function teamLine(
  team: { project: string; author: string; waiting: number; lastSync: SyncState | null; isSyncing: boolean },
  now: Date,
): string {
  const { project, author, waiting, lastSync, isSyncing } = team;
  const name = `${printable(project)} as ${printable(author)}`;
  const waits = waiting === 0 ? "" : `; ${renderWaiting(waiting)}`;
  const goesOn = isSyncing ? "; a sync is under way" : "";
  if (lastSync?.problem)
    return `${name}: not synced${waits}${goesOn}: ${printable(lastSync.problem.message)}. ${printable(lastSync.problem.hint ?? "It will be retried automatically.")}`;
  return `${name}: synced ${lastSync?.succeededAt == null ? "never" : renderAgo(lastSync.succeededAt, now)}${waits}${goesOn}`;
}

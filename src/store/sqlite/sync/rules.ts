import type { FileMention, TurnRole } from "../../../domain.ts";
import { printable } from "../../../text/invisible.ts";
import { onOneLine } from "../../../text/lines.ts";
import { toUtc } from "../../../text/when.ts";
import { withoutForward } from "../../../turn/parts.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { FolderCleaning } from "../../folder.ts";
import type { TurnIdentity } from "../../identity.ts";
import type { Exclusions, Sharing, SharingDecision, TeamSession, TeamTurn } from "../../team.ts";

/** An id as agents create it, without characters that a terminal or a shell interprets. */
const ID = /^[\w.:@+=/ -]{1,200}$/;
/** The id of an agent, as in `agents/`. */
const CLIENT = /^[a-z][a-z0-9-]{0,39}$/;
const COMMIT = /^[0-9a-f]{4,64}$/i;
const WEB = /^https?:\/\//;

/**
 * Validates a turn from the team's server, since whoever may write to the server may write anything there. Returns it in the form
 * that mementor sends; null when its chunks do not match its text.
 *
 * @param until ISO 8601. Later times are not trusted; null for no limit.
 */
export function validateArrival(turn: TeamTurn, until: string | null): TeamTurn | null {
  if (!turn.chunks.every(({ start, end, content }) => turn.text.slice(start, end) === content)) return null;
  const time = (value: string | null) => plausibleTime(value, until);
  return {
    ...turn,
    session: sessionOf(turn.session, time),
    agentId: idOf(turn.agentId),
    subagent: turn.subagent && { agentType: line(turn.subagent.agentType), task: turn.subagent.task },
    mentions: turn.mentions.filter(({ filePath }) => mayTravel(filePath)),
    commits: turn.commits.filter(({ hash }) => COMMIT.test(hash)),
    createdAt: time(turn.createdAt),
    endedAt: time(turn.endedAt),
    branch: line(turn.branch),
    model: line(turn.model),
    clientVersion: line(turn.clientVersion),
    // The prompt's uuid identifies the user's own turn from another device.
    promptUuid: line(turn.promptUuid),
  };
}

function sessionOf(session: TeamSession, time: (value: string | null) => string | null): TeamSession {
  const { sessionId, client, opening } = session;
  return {
    ...session,
    sessionId: idOf(sessionId) ?? "",
    client: CLIENT.test(client) ? client : "unknown",
    branch: line(session.branch),
    startedAt: time(session.startedAt),
    endedAt: time(session.endedAt),
    opening: opening && {
      ...opening,
      title: line(opening.title),
      links: opening.links
        .filter(({ prUrl, prNumber }) => WEB.test(prUrl) && prNumber > 0)
        .map((link) => ({ ...link, timestamp: time(link.timestamp) })),
    },
  };
}

/**
 * Tells whether a path may leave or enter a machine: only inside the project, or on the web. Any other path belongs to one
 * machine, and a hook would look for a file of that name on another.
 */
export function mayTravel(path: string): boolean {
  if (path.includes("://")) return WEB.test(path);
  const isElsewhere = /^(?:[/\\~]|[a-z][a-z0-9+.-]*:)/i.test(path);
  return !isElsewhere && !path.split(/[/\\]/).includes("..") && path === line(path);
}

function idOf<Id extends string | null>(id: Id): Id | string {
  return id === null || ID.test(id) ? id : `id-${Bun.hash(id).toString(36)}`;
}

function line<Text extends string | null>(text: Text): Text | string {
  return text === null ? text : onOneLine(printable(text));
}

/** Returns a time in UTC for comparison; null when it is invalid or before 1970. */
function plausibleTime(time: string | null, until: string | null): string | null {
  const ms = Date.parse(time ?? "");
  if (time === null || Number.isNaN(ms) || ms < 0) return null;
  const text = toUtc(time);
  return until !== null && text > until ? null : text;
}

/** Facts about one of the user's turns that decide whether it is shared. */
export interface OwnTurn extends TurnIdentity {
  turnId: number;
  /** 1 if the turn may still grow, as the last one of an open session. Null when not queried. */
  isOpen: number | null;
  role: TurnRole;
  isSidechain: number;
  origin: string;
  foreignOrigin: string | null;
  endedAt: string | null;
  branch: string | null;
  key: Uint8Array;
  /** True when this device shared it. */
  isShared: boolean;
  /** True when another device of the user shared it, e.g. this one before it left the team. */
  wasShared: boolean;
  isUnshared: boolean;
  isPinned: number;
  isMuted: number;
  isGood: number;
  mentions: FileMention[];
}

/** Tells whether the team has the turn, from any device of the user. */
export function isWithTeam({ isShared, wasShared, isUnshared }: OwnTurn): boolean {
  return (isShared || wasShared) && !isUnshared;
}

/** Returns whether a turn may leave this machine under these rules, or the reason why it stays. */
export function decideSharing(
  turn: OwnTurn,
  sharing: Sharing,
  { isPathExcluded, isProjectExcluded }: Exclusions,
): SharingDecision {
  if (turn.isUnshared) return "unshared";
  if (turn.foreignOrigin !== null) return "imported";
  if (isProjectExcluded || turn.mentions.some(({ filePath }) => isPathExcluded(filePath))) return "excluded";
  if (isWithTeam(turn)) return "shared";
  if (turn.isOpen === 1) return "provisional";
  return reasonToStay(turn, sharing) ?? "wanted";
}

/** Tells whether a turn with this fate is, or will be, in the team's memory. */
export function isWanted(fate: SharingDecision): boolean {
  return fate === "shared" || fate === "wanted";
}

function reasonToStay(
  turn: OwnTurn,
  { since, branches, onlyMarked, subagents, muted = false }: Sharing,
): SharingDecision | null {
  // A summary quotes earlier turns, which may have to stay here.
  if (turn.role !== "turn") return "summary";
  if (turn.agentId !== null && !subagents) return "subagent";
  if (turn.isMuted !== 0 && !muted) return "muted";
  if (since !== null && (turn.createdAt ?? "") < since) return "before";
  if (branches.length > 0 && !branches.some((glob) => new Bun.Glob(glob).match(turn.branch ?? "")))
    return "branch";
  if (onlyMarked && turn.isPinned === 0 && turn.isGood === 0) return "unmarked";
  return null;
}

/** A record of the folder: its writer, and its number among the writer's records. */
export type RecordPlace = FolderCleaning;

/** The local version of a received turn, of the user or a colleague. */
export interface LocalCopy extends TurnText {
  isOwn: boolean;
  /** The team's device that sent it; null when none did. */
  deviceId: string | null;
  /** The writer in the folder that made it; null when the folder did not bring it. */
  home: string | null;
  /** The folder's record of this turn, or the one that this device would write; null for neither. */
  place: RecordPlace | null;
  /** True when another writer has taken over the records of the one in `place`. */
  isOver: boolean;
  /** The other writer's record that it replaces. */
  cleans: RecordPlace | null;
  /** True when it has changes here that were not examined yet. */
  isWaiting: boolean;
}

/** A received turn with the data to judge it. */
export interface ReceivedTurn {
  turn: TurnText;
  isOwn: boolean;
  /** Its record in the folder; null for a turn from the team. */
  record: (RecordPlace & { cleans: RecordPlace | null }) | null;
  /** `gone`: the user took it back or forgot it. `unwanted`: only this memory does not want it. */
  kept: "gone" | "unwanted" | null;
}

/**
 * The decision on a received turn. `gone`: others are told that it is gone. `unwanted`: ignored. `new`: stored. Otherwise the
 * winning version: the local one, the received one, which is stored, or either.
 */
export type Verdict = "gone" | "unwanted" | "new" | Counting;
type Counting = "here" | "there" | "either";

/** Decides what to do with a received turn. */
export function judgeReceived({ kept, isOwn, ...brought }: ReceivedTurn, here: LocalCopy | null): Verdict {
  if (kept === "gone" && isOwn) return "gone";
  if (kept !== null) return "unwanted";
  if (here === null) return "new";
  // Colleagues decide only about their own turns.
  if (!isOwn) return here.isOwn ? "unwanted" : "there";
  return winningVersion(here, brought);
}

/** Returns the winning version of one of the user's turns: the later one if known, else the longer one. */
function winningVersion(here: LocalCopy, { turn, record }: Pick<ReceivedTurn, "turn" | "record">): Counting {
  if (record === null) return here.deviceId === null ? longer(here, turn) : "there";
  const { place, cleans } = here;
  if (cleans?.writer === record.writer && record.seq <= cleans.seq) return "here";
  // The received record is a cleaned version of the one here.
  if (record.cleans !== null && record.cleans.writer === place?.writer && place.seq <= record.cleans.seq)
    return "there";
  if (place?.writer === record.writer) return record.seq > place.seq ? "there" : "here";
  const isOnlyOfTeam = here.home === null && here.deviceId !== null;
  return here.isOver || isOnlyOfTeam ? "there" : longer(here, turn);
}

/** Returns the longer version, because the shorter one was read earlier. */
function longer(here: TurnText, there: TurnText): Counting {
  const [mine, theirs] = [withoutForward(here).text, withoutForward(there).text];
  if (mine === theirs) return "either";
  return mine.length > theirs.length || (mine.length === theirs.length && mine > theirs) ? "here" : "there";
}

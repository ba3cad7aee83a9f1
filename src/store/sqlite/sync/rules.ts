import type { FileMention, TurnRole } from "../../../domain.ts";
import { printable } from "../../../text/invisible.ts";
import { onOneLine } from "../../../text/lines.ts";
import { utc } from "../../../text/when.ts";
import { withoutForward } from "../../../turn/parts.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { FolderCleaning } from "../../folder.ts";
import type { TurnIdentity } from "../../identity.ts";
import type { Exclusions, Fate, Sharing, TeamSession, TeamTurn } from "../../team.ts";

/** An id as agents make them: nothing that a terminal or a shell obeys. */
const ID = /^[\w.:@+=/ -]{1,200}$/;
/** The id of an agent, as in `agents/`. */
const CLIENT = /^[a-z][a-z0-9-]{0,39}$/;
const COMMIT = /^[0-9a-f]{4,64}$/i;
const WEB = /^https?:\/\//;

/**
 * Returns a turn that comes from the team's server as a mementor could have sent it: whoever may write to the server may
 * write anything there. Null when its chunks are not of its text.
 *
 * @param until ISO 8601. Later times are not believed; null for no limit.
 */
export function arriving(turn: TeamTurn, until: string | null): TeamTurn | null {
  if (!turn.chunks.every(({ start, end, content }) => turn.text.slice(start, end) === content)) return null;
  const time = (value: string | null) => believable(value, until);
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
    // One's own turn of another device is known by it.
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
 * Whether a path may leave a machine, or come to one: only within the project, or on the web. Any other is of one
 * machine, and a hook would look for the file of that name on another.
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

/** Returns a time in UTC, as times are compared; null for one that is none, or is before 1970. */
function believable(time: string | null, until: string | null): string | null {
  const ms = Date.parse(time ?? "");
  if (time === null || Number.isNaN(ms) || ms < 0) return null;
  const text = utc(time);
  return until !== null && text > until ? null : text;
}

/** Facts of one's own turn that decide whether it is shared. */
export interface OwnTurn extends TurnIdentity {
  turnId: number;
  /** Whether more may come: it is the last of a session that goes on. Null when that was not asked. */
  isOpen: number | null;
  role: TurnRole;
  isSidechain: number;
  origin: string;
  foreignOrigin: string | null;
  endedAt: string | null;
  branch: string | null;
  key: Uint8Array;
  /** Whether this device shared it. */
  isShared: boolean;
  /** Whether another device of the user shared it, such as this one before it left the team. */
  wasShared: boolean;
  isUnshared: boolean;
  isPinned: number;
  isMuted: number;
  isGood: number;
  mentions: FileMention[];
}

/** Whether the team has the turn, from whichever device of the user. */
export function isWithTeam({ isShared, wasShared, isUnshared }: OwnTurn): boolean {
  return (isShared || wasShared) && !isUnshared;
}

/** Says whether a turn leaves this machine under these rules, or why it stays. */
export function fateOf(
  turn: OwnTurn,
  sharing: Sharing,
  { isPathExcluded, isProjectExcluded }: Exclusions,
): Fate {
  if (turn.isUnshared) return "unshared";
  if (turn.foreignOrigin !== null) return "imported";
  if (isProjectExcluded || turn.mentions.some(({ filePath }) => isPathExcluded(filePath))) return "excluded";
  if (isWithTeam(turn)) return "shared";
  if (turn.isOpen === 1) return "provisional";
  return reasonToStay(turn, sharing) ?? "wanted";
}

/** Whether a turn with this fate is in the team's memory, or will be. */
export function isWanted(fate: Fate): boolean {
  return fate === "shared" || fate === "wanted";
}

function reasonToStay(
  turn: OwnTurn,
  { since, branches, onlyMarked, subagents, muted = false }: Sharing,
): Fate | null {
  // A summary quotes earlier turns, which may stay here.
  if (turn.role !== "turn") return "summary";
  if (turn.agentId !== null && !subagents) return "subagent";
  if (turn.isMuted !== 0 && !muted) return "muted";
  if (since !== null && (turn.createdAt ?? "") < since) return "before";
  if (branches.length > 0 && !branches.some((glob) => new Bun.Glob(glob).match(turn.branch ?? "")))
    return "branch";
  if (onlyMarked && turn.isPinned === 0 && turn.isGood === 0) return "unmarked";
  return null;
}

/** A record of the folder: who put it, and its number among that one's. */
export type Place = FolderCleaning;

/** A turn of the user's, or of a colleague's, that is here already when it arrives. */
export interface Copy extends TurnText {
  isOwn: boolean;
  /** The device of the team that sent it; null where none did. */
  deviceId: string | null;
  /** The writer of the folder where it was said; null where the folder did not bring it. */
  home: string | null;
  /** The folder's record of this turn, or the one that this device would write; null for neither. */
  place: Place | null;
  /** Another writer has taken over what the one of `place` put. */
  isOver: boolean;
  /** The record of another writer that it replaces. */
  cleans: Place | null;
  /** Something of it changed here that was not looked at yet. */
  isWaiting: boolean;
}

/** What a turn that arrives brings with it. */
export interface Brought {
  turn: TurnText;
  isOwn: boolean;
  /** Its record in the folder; null for a turn from the team. */
  record: (Place & { cleans: Place | null }) | null;
  /** `gone`: the user took it back, or forgot it. `unwanted`: only this memory does not want it. */
  kept: "gone" | "unwanted" | null;
}

/**
 * What becomes of a turn that arrives. `gone`: others are told that it is. `unwanted`: nothing. `new`: it is stored. Else which
 * copy of it counts: the one that is here, the one that arrives, which is stored, or either.
 */
export type Verdict = "gone" | "unwanted" | "new" | Counting;
type Counting = "here" | "there" | "either";

/** Says what becomes of a turn that arrives. */
export function verdictOn({ kept, isOwn, ...brought }: Brought, here: Copy | null): Verdict {
  if (kept === "gone" && isOwn) return "gone";
  if (kept !== null) return "unwanted";
  if (here === null) return "new";
  // What colleagues say counts for their own turns alone.
  if (!isOwn) return here.isOwn ? "unwanted" : "there";
  return counting(here, brought);
}

/** Says which copy of one's own turn counts: the later one where that is known, else the longer one. */
function counting(here: Copy, { turn, record }: Pick<Brought, "turn" | "record">): Counting {
  if (record === null) return here.deviceId === null ? longer(here, turn) : "there";
  const { place, cleans } = here;
  if (cleans?.writer === record.writer && record.seq <= cleans.seq) return "here";
  // Something was taken out of the very record that is here.
  if (record.cleans !== null && record.cleans.writer === place?.writer && place.seq <= record.cleans.seq)
    return "there";
  if (place?.writer === record.writer) return record.seq > place.seq ? "there" : "here";
  const isOnlyOfTeam = here.home === null && here.deviceId !== null;
  return here.isOver || isOnlyOfTeam ? "there" : longer(here, turn);
}

/** Says which copy is the longer one: the other was read earlier. */
function longer(here: TurnText, there: TurnText): Counting {
  const [mine, theirs] = [withoutForward(here).text, withoutForward(there).text];
  if (mine === theirs) return "either";
  return mine.length > theirs.length || (mine.length === theirs.length && mine > theirs) ? "here" : "there";
}

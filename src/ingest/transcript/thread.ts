import type { TurnOrigin, TurnRole } from "../../domain.ts";
import type { RecordContext, ToolCall } from "./events.ts";
import { PrivatePassage } from "./private-passage.ts";
import type { LineCounts, Position, RecentPrompt } from "./state.ts";
import type { RawTurn, TurnEntry } from "./transcript.ts";

/** The reader's state just before a line, from which a later read can continue. */
export interface ReaderMark {
  offset: number;
  line: number;
  counts: LineCounts;
  lastSession: string | null;
  recent: readonly RecentPrompt[];
  /** Number of prompts so far. */
  prompts: number;
  /** State of the agent's adapter. */
  agentState: string | null;
}

/** The position of an entry. */
export interface Place extends Position {
  mark: () => ReaderMark;
}

/** The content that one record adds to a thread. */
export interface ThreadAddition {
  entry: TurnEntry;
  record: RecordContext;
  origin: TurnOrigin;
  place: Place;
}

export interface OpenTurn {
  turn: RawTurn;
  mark: ReaderMark;
  lastLine: number;
  /** Indexes of the turn's entries that have a `uuid`. */
  indexOf: Map<string, number>;
  /** Calls whose results are still needed, by id. */
  awaited: Map<string, ToolCall>;
}

/** One conversation of a transcript: a session's main one, or that of one of its subagents. */
export interface Thread {
  key: string;
  sessionId: string;
  agentId: string | null;
  isSidechain: boolean;
  open: OpenTurn | null;
  /** The private passage that the turn may have opened. */
  privatePassage: PrivatePassage;
  /** The last slash command. It becomes a prompt if work follows. */
  command: { addition: ThreadAddition; mark: ReaderMark } | null;
  /** Closed turns, with the start of each and the earliest position of the next one. */
  closed: { start: number; end: Position }[];
  /** Entries before this position are in turns that an earlier read closed. */
  from: Position;
}

export function threadKey(sessionId: string, agentId: string | null): string {
  return agentId === null ? sessionId : `${sessionId}/${agentId}`;
}

export function newThread(sessionId: string, agentId: string | null, from: Position): Thread {
  return {
    key: threadKey(sessionId, agentId),
    sessionId,
    agentId,
    isSidechain: agentId !== null,
    open: null,
    privatePassage: new PrivatePassage(),
    command: null,
    closed: [],
    from,
  };
}

/** Opens a turn that starts with an entry. `mark` is the position from which a later read finds that entry again. */
export function openTurn(
  thread: Thread,
  { entry, record, origin }: ThreadAddition,
  mark: ReaderMark,
  role: TurnRole,
): OpenTurn {
  const turn: RawTurn = {
    sessionId: thread.sessionId,
    agentId: thread.agentId,
    isSidechain: thread.isSidechain,
    lineIndex: entry.lineIndex,
    provisional: true,
    role,
    origin,
    entries: [],
    nextPrompt: null,
    createdAt: record.timestamp,
    endedAt: null,
    branch: null,
    cwd: null,
    model: null,
    clientVersion: null,
  };
  const open: OpenTurn = {
    turn,
    mark,
    lastLine: entry.lineIndex,
    indexOf: new Map(),
    awaited: new Map(),
  };
  addEntry(open, record, entry);
  return open;
}

/** Adds an entry, or replaces an earlier entry with the same `uuid`. */
export function addEntry(open: OpenTurn, record: RecordContext, entry: TurnEntry): void {
  const { turn } = open;
  const before = entry.uuid === null ? undefined : open.indexOf.get(entry.uuid);
  if (before !== undefined) turn.entries[before] = entry;
  else if (entry.uuid !== null) open.indexOf.set(entry.uuid, turn.entries.push(entry) - 1);
  else turn.entries.push(entry);
  open.lastLine = entry.lineIndex;
  turn.createdAt ??= record.timestamp;
  turn.endedAt = record.timestamp ?? turn.endedAt;
  turn.branch ??= record.branch;
  turn.cwd ??= record.cwd;
  turn.clientVersion ??= record.version;
  if (entry.speaker === "assistant") turn.model = record.model ?? turn.model;
}

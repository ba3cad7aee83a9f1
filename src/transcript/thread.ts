import type { TurnOrigin, TurnRole } from "../domain.ts";
import { CureTrace } from "./cures/trace.ts";
import type { RecordContext, ToolCall } from "./events.ts";
import type { Position } from "./position.ts";
import { PrivatePassage } from "./private-passage.ts";
import { Retries } from "./retries.ts";
import type { LineCounts, RecentPrompt } from "./state.ts";
import type { RawTurn, TurnEntry } from "./transcript.ts";

/** The reader's state just before a line, from which a later read can continue. */
export interface Mark {
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
  mark: () => Mark;
}

/** What one record adds to a thread. */
export interface Addition {
  entry: TurnEntry;
  record: RecordContext;
  origin: TurnOrigin;
  place: Place;
}

export interface OpenTurn {
  turn: RawTurn;
  mark: Mark;
  lastLine: number;
  /** Indexes of the turn's entries that have a `uuid`. */
  indexOf: Map<string, number>;
  /** Calls whose results are needed, by id. */
  awaited: Map<string, ToolCall>;
  retries: Retries;
  cures: CureTrace;
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
  command: { addition: Addition; mark: Mark } | null;
  /** Closed turns: the line where each starts, and the earliest position of the next one. */
  closed: { start: number; end: Position }[];
  /** Entries before this position are in turns that were closed by an earlier read. */
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
  { entry, record, origin }: Addition,
  mark: Mark,
  role: TurnRole,
): OpenTurn {
  const retries = new Retries();
  const cures = new CureTrace();
  const turn: RawTurn = {
    sessionId: thread.sessionId,
    agentId: thread.agentId,
    isSidechain: thread.isSidechain,
    lineIndex: entry.lineIndex,
    provisional: true,
    role,
    origin,
    entries: [],
    mended: retries.mended,
    cures: cures.cures,
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
    retries,
    cures,
  };
  addEntry(open, record, entry);
  return open;
}

/** Adds an entry. An earlier entry with the same `uuid` is replaced. */
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

/** Registers the result of a call of a turn; `error` is null for one that succeeded. */
export function finish(open: OpenTurn | null, callId: string | null, error: string | null): void {
  if (open === null || callId === null) return;
  open.awaited.delete(callId);
  open.retries.finish(callId, error !== null);
  open.cures.finish(callId, error);
}

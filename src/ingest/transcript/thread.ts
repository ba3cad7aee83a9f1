import { CHANGING_TOOLS } from "../../constants.ts";
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
  retries: RetryTracker;
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
  const retries = new RetryTracker();
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

/** Registers the result of a turn's call; `error` is null on success. */
export function finishCall(open: OpenTurn | null, callId: string | null, error: string | null): void {
  if (open === null || callId === null) return;
  open.awaited.delete(callId);
  open.retries.finish(callId, error !== null);
}

/** Length of a command to compare. */
const COMMAND_CHARS = 500;
/** Directory changes before a command, which do not make it another command, just like redirections. */
const CHANGE_DIRECTORY = /^(?:cd\s+\S+\s*(?:&&|;)\s*)+/;
const OUTPUT = /(?:(?<!\s)\s+)?(?:\||(?<![\d&])[\d&]*>).*$/s;

/** Follows the calls of one turn to find failed calls that succeeded when repeated. */
export class RetryTracker {
  /** Ids of failed calls that later succeeded. */
  readonly mended = new Set<string>();
  /** The calls without a result. */
  readonly #pending = new Map<string, ToolCall>();
  /** Ids of failed calls that have not succeeded since, by task. */
  readonly #failed = new Map<string, string[]>();

  /** Registers a call. */
  add(call: ToolCall): void {
    if (call.id !== null) this.#pending.set(call.id, call);
  }

  /** Registers the result of a call. */
  finish(id: string, isError: boolean): void {
    const call = this.#pending.get(id);
    if (!call) return;
    this.#pending.delete(id);
    // Most turns have no failure, so their calls need no key.
    if (!isError && this.#failed.size === 0) return;
    const task = taskOf(call);
    if (task === null) return;
    const failed = this.#failed.get(task) ?? [];
    if (isError) this.#failed.set(task, [...failed, id]);
    else {
      for (const earlier of failed) this.mended.add(earlier);
      this.#failed.delete(task);
    }
  }
}

/** Returns the task of a call, for recognising a repeated call; null when unclear. */
function taskOf({ name, command, paths }: ToolCall): string | null {
  if (command !== null)
    return `run ${command.slice(0, COMMAND_CHARS).trim().replace(CHANGE_DIRECTORY, "").replace(OUTPUT, "")}`;
  const [path] = paths;
  if (path === undefined) return null;
  return `${CHANGING_TOOLS.some((tool) => tool === name) ? "change" : name} ${path}`;
}

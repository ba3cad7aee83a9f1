import { READ } from "../../constants.ts";
import type { TurnRole } from "../../domain.ts";
import { truncateGraphemes } from "../../text/cut.ts";
import { FORWARD_GRAPHEMES } from "../../turn/wording.ts";
import { isBefore, type Position, type ReaderState, type RecentPrompt, START_POSITION } from "./state.ts";
import {
  addEntry,
  newThread,
  openTurn,
  type ReaderMark,
  type Thread,
  type ThreadAddition,
  threadKey,
} from "./thread.ts";
import { type EntryText, joinOriginals, joinTexts, type RawTurn } from "./transcript.ts";

/** Number of latest prompts to compare with a queued command. Its entry, if any, is close to it. */
const QUEUE_NEIGHBOURS = 2;

/** Builds turns from the entries of all threads of one source. */
export class TurnBuilder {
  recent: readonly RecentPrompt[];
  readonly prompts: SeenPrompts;
  readonly #threads = new Map<string, Thread>();
  /** Thread of the last call, which is nearly always that of the next. */
  #latest: Thread | null = null;
  readonly #closedBefore: Readonly<Record<string, Position>>;
  #closed: RawTurn[] = [];

  constructor({ recent, prompts, closed }: ReaderState) {
    this.recent = recent;
    this.prompts = new SeenPrompts(prompts);
    this.#closedBefore = closed;
  }

  thread(sessionId: string, agentId: string | null): Thread {
    if (this.#latest?.sessionId === sessionId && this.#latest.agentId === agentId) return this.#latest;
    const key = threadKey(sessionId, agentId);
    let thread = this.#threads.get(key);
    if (!thread) {
      thread = newThread(sessionId, agentId, this.#closedBefore[key] ?? START_POSITION);
      this.#threads.set(key, thread);
    }
    this.#latest = thread;
    return thread;
  }

  /** Starts a turn. Returns false when this prompt was read before. */
  prompt(thread: Thread, addition: ThreadAddition, isQueued: boolean): boolean {
    const { entry, record, place } = addition;
    const text = joinTexts(entry.texts);
    const hash = Bun.hash(`${thread.key}\0${text}`).toString(36);
    const prompt = { text: hash, queued: isQueued };
    const mark = place.mark();
    if (this.#isKnown(prompt, entry.uuid)) {
      if (!isQueued) this.#forgetQueued(prompt.text, entry.uuid);
      return false;
    }
    this.recent = [...this.recent, prompt].slice(-QUEUE_NEIGHBOURS);
    if (entry.uuid !== null) this.prompts.add(entry.uuid);
    if (isBefore(place, thread.from)) return true;
    if (thread.open?.turn.lineIndex === place.line) {
      addEntry(thread.open, record, entry);
      return true;
    }
    this.#closeOthers(thread, place);
    this.#close(thread, place, isForward(addition, thread.open) ? entry.texts : null);
    thread.open = openTurn(thread, addition, mark, "turn");
    return true;
  }

  #isKnown({ text, queued }: RecentPrompt, uuid: string | null): boolean {
    if (uuid !== null && this.prompts.has(uuid)) return true;
    if (queued) return this.recent.some((known) => known.text === text);
    const latest = this.recent.at(-1);
    return latest?.queued === true && latest.text === text;
  }

  /** Forgets a queued prompt once it has been recorded a second time. After that, the same words are a new prompt. */
  #forgetQueued(hash: string, uuid: string | null): void {
    if (uuid !== null && !this.prompts.has(uuid)) this.prompts.add(uuid);
    this.recent = this.recent.map((known) => (known.text === hash ? { ...known, queued: false } : known));
  }

  /** Adds the assistant's work to the open turn, or opens a turn for it. */
  work(thread: Thread, addition: ThreadAddition): void {
    const { command } = thread;
    thread.command = null;
    if (command) add(thread, command.addition, command.mark);
    add(thread, addition, null);
  }

  /** Remembers a slash command until work follows it. */
  command(thread: Thread, addition: ThreadAddition): void {
    thread.command = { addition, mark: addition.place.mark() };
  }

  /** Adds a text that is a turn by itself. A compaction ends the open turn, a recap does not. */
  note(thread: Thread, addition: ThreadAddition, role: TurnRole): void {
    const { place } = addition;
    if (role === "compaction_summary") this.#close(thread, place, null);
    const { turn } = openTurn(thread, addition, place.mark(), role);
    turn.provisional = false;
    this.#closed.push(turn);
  }

  /** Ends the open turn of a thread, without forward context. */
  end(thread: Thread, end: Position): void {
    this.#close(thread, end, null);
  }

  #close(thread: Thread, { line, object }: Position, next: readonly EntryText[] | null): void {
    const { open } = thread;
    thread.command = null;
    if (!open) return;
    open.turn.provisional = false;
    if (next) {
      open.turn.nextPrompt = truncateGraphemes(joinTexts(next), FORWARD_GRAPHEMES);
      open.turn.givenNextPrompt = joinOriginals(next);
    }
    this.#closed.push(open.turn);
    thread.closed.push({ start: open.mark.line, end: { line, object } });
    thread.open = null;
  }

  /**
   * Closes the turns of a session's subagents in this transcript at a prompt of the session. Also closes turns of the file's
   * other sessions without an entry during the last turn, which would otherwise stay open forever.
   */
  #closeOthers(thread: Thread, end: Position): void {
    if (thread.agentId !== null) return;
    const since = thread.open?.turn.lineIndex;
    for (const other of this.#threads.values()) {
      if (other === thread) continue;
      const isOwnAgent = other.sessionId === thread.sessionId;
      const isLeft = since !== undefined && (other.open?.lastLine ?? 0) < since;
      if (isOwnAgent || isLeft) this.#close(other, end, null);
    }
  }

  /** Returns the turns closed since the last call, in order of their start. */
  take(): RawTurn[] {
    const closed = this.#closed;
    this.#closed = [];
    return closed.sort(byLine);
  }

  hasClosed(): boolean {
    return this.#closed.length > 0;
  }

  /** Returns copies of the open turns. */
  provisional(): RawTurn[] {
    const open = [...this.#threads.values()].flatMap((thread) => thread.open?.turn ?? []);
    return open.map((turn) => ({ ...turn, entries: [...turn.entries] })).sort(byLine);
  }

  /** Returns the start of the earliest open turn; null when none is open. */
  earliest(): ReaderMark | null {
    let earliest: ReaderMark | null = null;
    for (const { open, command } of this.#threads.values()) {
      for (const mark of [open?.mark, command?.mark]) {
        if (mark && (earliest === null || mark.line < earliest.line)) earliest = mark;
      }
    }
    return earliest;
  }

  /**
   * Returns the threads with a closed turn that extends past the line where a later read starts, with the position after that
   * turn.
   */
  closedOver(line: number): Record<string, Position> {
    const over: Record<string, Position> = {};
    for (const { key, from, closed } of this.#threads.values()) {
      const ends = closed.filter(({ start }) => start < line).map(({ end }) => end);
      const last = ends.reduce((latest, end) => (isBefore(latest, end) ? end : latest), from);
      if (isBefore({ line, object: 0 }, last)) over[key] = last;
    }
    return over;
  }

  /** Drops data that no later read needs: closed turns before the earliest open one, and threads without anything else. */
  prune(): void {
    this.#latest = null;
    const next = { line: this.earliest()?.line ?? Number.POSITIVE_INFINITY, object: 0 };
    for (const [key, thread] of this.#threads) {
      thread.closed = thread.closed.filter(({ end }) => isBefore(next, end));
      const isIdle = thread.open === null && thread.command === null && thread.closed.length === 0;
      if (isIdle && !isBefore(next, thread.from)) this.#threads.delete(key);
    }
  }
}

/**
 * Tells whether the next prompt is forward context: it is a person's, or all prompts of the conversation are a program's or an
 * agent's. Forward context does not say who asked.
 */
function isForward({ origin }: ThreadAddition, open: Thread["open"]): boolean {
  if (origin === "human") return true;
  return (origin === "automated" || origin === "subagent") && open?.turn.origin === origin;
}

/** Adds to the open turn, or opens a turn. `mark` is the position of the addition, by default the current position. */
function add(thread: Thread, addition: ThreadAddition, mark: ReaderMark | null): void {
  if (thread.open) addEntry(thread.open, addition.record, addition.entry);
  else thread.open = openTurn(thread, addition, mark ?? addition.place.mark(), "turn");
}

function byLine(a: RawTurn, b: RawTurn): number {
  return a.lineIndex - b.lineIndex;
}

/** Bytes of a uuid's hash to store. Two different prompts collide with a chance of 1 in 2^48. */
const HASH_BYTES = 6;

/** Hashes of the uuids of a file's prompts, in order. */
export class SeenPrompts {
  readonly #hashes: number[];
  readonly #known: Set<number>;

  /** Parses a text from `text`. */
  constructor(text: string) {
    const bytes = Buffer.from(text, "base64");
    const count = Math.floor(bytes.length / HASH_BYTES);
    this.#hashes = Array.from({ length: count }, (_, i) => bytes.readUIntBE(i * HASH_BYTES, HASH_BYTES));
    this.#known = new Set(this.#hashes);
  }

  get count(): number {
    return this.#hashes.length;
  }

  has(uuid: string): boolean {
    return this.#known.has(hashOf(uuid));
  }

  add(uuid: string): void {
    const hash = hashOf(uuid);
    this.#hashes.push(hash);
    this.#known.add(hash);
  }

  /** Returns the latest of the first `count` hashes, for the reader's state. */
  text(count: number): string {
    const kept = this.#hashes.slice(Math.max(0, count - READ.rememberedPrompts), count);
    const bytes = Buffer.alloc(kept.length * HASH_BYTES);
    for (const [i, hash] of kept.entries()) bytes.writeUIntBE(hash, i * HASH_BYTES, HASH_BYTES);
    return bytes.toString("base64");
  }
}

function hashOf(uuid: string): number {
  return Number(BigInt.asUintN(8 * HASH_BYTES, Bun.hash.xxHash3(uuid)));
}

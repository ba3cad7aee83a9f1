import { agentOf } from "../agents/list.ts";
import { INDEXED_CHARS } from "../constants.ts";
import type { Turn, TurnCopy } from "../domain.ts";
import type { KnownEntry, SourceState, WriteBatch, WriteResult } from "../store/stored.ts";
import { CHUNK_LIMITS, chunkText } from "./chunk/markdown.ts";
import { type ExcludeTest, excludePaths } from "./exclude.ts";
import type { TranscriptDeps } from "./lost-sessions.ts";
import { fingerprint } from "./source.ts";
import { composeTurn } from "./transcript/compose.ts";
import { READER_VERSION } from "./transcript/state.ts";
import type { RawTurn, TranscriptStep } from "./transcript/transcript.ts";

export interface StepWriterReport {
  sessions: ReadonlySet<string>;
  written: WriteResult;
  /** Number of characters in overlong turns that are stored but not indexed. */
  unindexed: number;
  lines: TranscriptStep["lines"];
  /** True when all its turns belong to excluded projects. */
  excluded: boolean;
}

interface FileStamp {
  size: number;
  mtimeMs: number;
}

/** Groups turns so that no uuid occurs in two turns of a group, because a copy is only recognised once its original is stored. */
function splitAtDuplicates(turns: readonly RawTurn[]): RawTurn[][] {
  const groups: RawTurn[][] = [[]];
  let seen = new Set<string>();
  for (const turn of turns) {
    const uuids = uuidsOf(turn);
    if (uuids.some((uuid) => seen.has(uuid))) {
      groups.push([]);
      seen = new Set();
    }
    for (const uuid of uuids) seen.add(uuid);
    groups.at(-1)?.push(turn);
  }
  return groups;
}

/** Writes the steps of one transcript and counts the results. */
export class StepWriter {
  readonly #path: string;
  readonly #deps: TranscriptDeps;
  readonly #sessions = new Set<string>();
  readonly #leftOut: LeftOut;
  readonly #turns = { kept: 0, leftOut: 0 };
  #unindexed = 0;
  readonly #written: WriteResult = { turnsInserted: 0, turnsUpdated: 0, chunksWritten: 0, vectorsReused: 0 };
  #lines: TranscriptStep["lines"] = { total: 0, indexed: 0, skipped: {} };
  #cursor: SourceState | null;
  #bytes: number;
  /** Number of turns already reported to `onBytes`. */
  #reported = 0;
  #rewritten: boolean;

  constructor(start: { path: string; before: SourceState | null; rewritten: boolean }, deps: TranscriptDeps) {
    this.#path = start.path;
    this.#deps = deps;
    const isLeftOut = (cwd: string) => deps.isProjectExcluded(cwd) || deps.isElsewhere(cwd, start.path);
    this.#leftOut = new LeftOut(start.before?.leftOut ?? [], isLeftOut);
    this.#cursor = start.before;
    this.#bytes = start.before?.byteOffset ?? 0;
    this.#rewritten = start.rewritten;
  }

  async write(step: TranscriptStep, stamp: FileStamp): Promise<void> {
    // Of two turns with the same uuid, the earlier keeps it, whether or not both were complete when they were read.
    const turns = step.turns.toSorted((a, b) => a.lineIndex - b.lineIndex);
    this.#leftOut.see(step);
    const kept = this.#leftOut.without(turns);
    this.#turns.kept += kept.length;
    this.#turns.leftOut += turns.length - kept.length;
    const groups = splitAtDuplicates(kept);
    const read = readTurns(turns);
    const facts = this.#factsOf(step);
    const after = this.#stateAfter(step, turns[0]?.sessionId ?? null, stamp);
    for (const [index, group] of groups.entries()) {
      const isLast = index === groups.length - 1;
      await this.#writeGroup(
        group,
        read,
        isLast ? after : (this.#cursor ?? start(after)),
        isLast ? facts : NO_FACTS,
      );
    }
    this.#cursor = after;
    this.#lines = step.lines;
    // A source that is read whole has no offsets, so its size is the number of bytes read.
    const bytes = step.cursor.byteOffset || Math.max(0, stamp.size);
    this.#deps.onBytes?.(bytes - this.#bytes, this.#written.turnsInserted - this.#reported);
    this.#bytes = bytes;
    this.#reported = this.#written.turnsInserted;
  }

  report(): StepWriterReport {
    const excluded = this.#turns.leftOut > 0 && this.#turns.kept === 0;
    const unindexed = this.#unindexed;
    return { sessions: this.#sessions, written: this.#written, unindexed, lines: this.#lines, excluded };
  }

  async #writeGroup(
    group: readonly RawTurn[],
    read: ReadTurns,
    source: SourceState,
    facts: Facts,
  ): Promise<void> {
    const known = await this.#deps.store.knownEntries(group.flatMap(uuidsOf));
    const resolved = group.map((raw) =>
      resolveTurn(excludePaths(raw, this.#deps.isPathExcluded), known, read),
    );
    const batch: WriteBatch = {
      source,
      rewritten: this.#rewritten,
      turns: await this.#chunked(resolved.flatMap(({ turn }) => turn ?? [])),
      copies: resolved.flatMap(({ copy }: Resolved) => copy ?? []),
      ...facts,
    };
    const result = await this.#deps.store.write(batch);
    this.#rewritten = false;
    this.#count(batch, result);
  }

  async #chunked(turns: readonly Turn[]): Promise<WriteBatch["turns"]> {
    if (turns.length === 0) return [];
    const tokenizer = await this.#deps.tokenizer();
    const count = (text: string) => tokenizer.count(text);
    return turns.map((turn) => ({ turn, chunks: chunkText(turn, count, CHUNK_LIMITS) }));
  }

  #count({ turns }: WriteBatch, result: WriteResult): void {
    for (const { turn } of turns) {
      this.#sessions.add(turn.sessionId);
      this.#unindexed += Math.max(0, turn.text.length - INDEXED_CHARS);
    }
    this.#written.turnsInserted += result.turnsInserted;
    this.#written.turnsUpdated += result.turnsUpdated;
    this.#written.chunksWritten += result.chunksWritten;
    this.#written.vectorsReused += result.vectorsReused;
  }

  /** Returns the facts about sessions that are not excluded. */
  #factsOf({ sessions, subagents, prLinks, compactions, rewinds }: TranscriptStep): Facts {
    const stays = (fact: { sessionId: string }) => !this.#leftOut.has(fact);
    const client = agentOf(this.#path).id;
    return {
      sessions: sessions.filter(stays).map((session) => ({ ...session, client })),
      subagents: subagents.filter(stays),
      prLinks: prLinks.filter(stays),
      compactions: compactions.filter(stays),
      rewinds: rewinds.filter(stays),
    };
  }

  #stateAfter(step: TranscriptStep, firstSession: string | null, stamp: FileStamp): SourceState {
    const { byteOffset, lineIndex, resumeOffset, resumeLine, sessions, readerState } = step.cursor;
    const agent = agentOf(this.#path);
    const { agentId, sessionId, isNamed } = agent.sourceOf(this.#path);
    const isContinued = agent.growth(this.#path) === "appended";
    return {
      path: this.#path,
      sessionId: (isNamed ? sessionId : null) ?? this.#cursor?.sessionId ?? firstSession,
      agentId,
      byteOffset,
      lineIndex,
      resumeOffset,
      resumeLine,
      fingerprint: (isContinued ? fingerprint(this.#path, byteOffset) : null) ?? "",
      ...stamp,
      skipped: step.lines.skipped,
      sessions: sessions.filter((session) => !this.#leftOut.has(session)),
      leftOut: this.#leftOut.sessionIds,
      readerState,
      readerVersion: READER_VERSION,
    };
  }
}

type Facts = Pick<WriteBatch, "sessions" | "subagents" | "prLinks" | "compactions" | "rewinds">;

const NO_FACTS: Facts = { sessions: [], subagents: [], prLinks: [], compactions: [] };

/** Returns the state of a file before its first read. */
function start(after: SourceState): SourceState {
  const zero = {
    byteOffset: 0,
    lineIndex: 0,
    resumeOffset: 0,
    resumeLine: 0,
    sessions: [],
    leftOut: [],
    readerState: null,
    skipped: {},
  };
  return { ...after, ...zero, fingerprint: "", size: -1, mtimeMs: -1 };
}

/**
 * The sessions of one transcript in excluded or other projects, until they work in one that is not. Only their ids are stored: a record that arrives
 * alone in a later append, such as a pull request, does not say where it belongs.
 */
class LeftOut {
  readonly #sessions: Set<string>;
  readonly #isExcluded: ExcludeTest;

  constructor(known: readonly string[], isExcluded: ExcludeTest) {
    this.#sessions = new Set(known);
    this.#isExcluded = isExcluded;
  }

  get sessionIds(): string[] {
    return [...this.#sessions];
  }

  has({ sessionId }: { sessionId: string }): boolean {
    return this.#sessions.has(sessionId);
  }

  /** Returns the other turns. Removes a next prompt that belongs to a turn that is left out. */
  without(turns: readonly RawTurn[]): RawTurn[] {
    const isNextOut = new Map<string, boolean>();
    return turns
      .toReversed()
      .flatMap((turn) => {
        const [thread, isOut] = [threadOf(turn), this.#hasTurn(turn)];
        const isCut = isNextOut.get(thread) === true;
        isNextOut.set(thread, isOut);
        return isOut ? [] : isCut ? { ...turn, nextPrompt: null } : turn;
      })
      .reverse();
  }

  /** Tells whether a turn is excluded by its directory or, if that is unknown, by its session. */
  #hasTurn({ sessionId, cwd }: RawTurn): boolean {
    return cwd === null ? this.has({ sessionId }) : this.#isExcluded(cwd);
  }

  see({ sessions, turns }: TranscriptStep): void {
    const places = turns.flatMap(({ sessionId, cwd }) => (cwd === null ? [] : { sessionId, cwd }));
    for (const { sessionId, cwd } of places) if (this.#isExcluded(cwd)) this.#sessions.add(sessionId);
    for (const { sessionId, cwd } of places) if (!this.#isExcluded(cwd)) this.#sessions.delete(sessionId);
    for (const { sessionId, projectDir } of sessions)
      if (projectDir !== null && this.#isExcluded(projectDir)) this.#sessions.add(sessionId);
  }
}

/** The stored form of a turn without the entries that are already indexed elsewhere. */
interface Resolved {
  turn: Turn | null;
  copy: TurnCopy | null;
}

function uuidsOf(raw: RawTurn): string[] {
  return raw.entries.flatMap((entry) => entry.uuid ?? []);
}

/** Tells whether an indexed entry belongs to the turn that is read again, not to a copy of it. */
function isOwn(raw: RawTurn, known: KnownEntry): boolean {
  const sameThread = known.sessionId === raw.sessionId && known.agentId === raw.agentId;
  return sameThread && known.promptUuid === (raw.entries[0]?.uuid ?? null);
}

/** The turns that are read together, by place and prompt, with their current entries. */
type ReadTurns = ReadonlyMap<string, ReadonlySet<string>>;

function readTurns(turns: readonly RawTurn[]): ReadTurns {
  return new Map(turns.map((raw) => [turnKey(raw, raw.entries[0]?.uuid ?? null), new Set(uuidsOf(raw))]));
}

function turnKey(place: { sessionId: string; agentId: string | null }, promptUuid: string | null): string {
  return `${promptUuid ?? ""}\n${threadOf(place)}`;
}

function threadOf({ sessionId, agentId }: { sessionId: string; agentId: string | null }): string {
  return `${agentId ?? ""}\n${sessionId}`;
}

/** Tells whether a turn that is read again used to contain the entry, but no longer does. */
function isGivenUp(uuid: string, known: KnownEntry, read: ReadTurns): boolean {
  return read.get(turnKey(known, known.promptUuid))?.has(uuid) === false;
}

/**
 * Composes a turn from the entries that no other turn contains. Resume and fork copy history with its uuids into another
 * transcript. A turn without new entries is stored only as a copy, a record that this session has seen that turn, too.
 */
function resolveTurn(raw: RawTurn, known: ReadonlyMap<string, KnownEntry>, read: ReadTurns): Resolved {
  const elsewhere = new Map<string, KnownEntry>();
  for (const uuid of uuidsOf(raw)) {
    const entry = known.get(uuid);
    if (entry && !isOwn(raw, entry) && !isGivenUp(uuid, entry, read)) elsewhere.set(uuid, entry);
  }
  const original = elsewhere.get(raw.entries[0]?.uuid ?? "");
  const copy =
    original && original.sessionId !== raw.sessionId
      ? { sessionId: raw.sessionId, lineIndex: raw.lineIndex, turnId: original.turnId }
      : null;
  return { turn: composeTurn(raw, new Set(elsewhere.keys())), copy };
}

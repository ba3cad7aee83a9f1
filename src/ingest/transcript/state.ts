import * as v from "valibot";
import type { SessionFacts } from "../../domain.ts";
import { parseObject } from "../../io/json.ts";

/** The position of an entry in its file. A line usually holds one object, and several when a line break is missing. */
export interface Position {
  line: number;
  object: number;
}

export const START: Position = { line: 0, object: 0 };

export function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.object < b.object);
}

const Count = v.fallback(v.number(), 0);
const Text = v.fallback(v.nullable(v.string()), null);

// Older versions wrote line 5's third object as 5 + 2 / 64.
const OldPosition = v.pipe(
  v.number(),
  v.transform((position): Position => {
    const line = Math.floor(position);
    return { line, object: Math.round((position - line) * 64) };
  }),
);
const PositionSchema = v.union([OldPosition, v.object({ line: v.number(), object: v.number() })]);

const LineCountsSchema = v.object({
  total: Count,
  indexed: Count,
  skipped: v.fallback(v.record(v.string(), v.number()), () => ({})),
});

/** Kinds of skipped lines that are counted apart. Names come from the transcript, which may have any. */
const MAX_KINDS = 100;

/** Counts a skipped line under its kind; under another where that is no name for one, or there are too many. */
export function countSkipped(skipped: Record<string, number>, kind: string): void {
  const isKnown = Object.hasOwn(skipped, kind);
  const isName = isKnown || (!(kind in skipped) && Object.keys(skipped).length < MAX_KINDS);
  const name = isName ? kind : "other";
  skipped[name] = (skipped[name] ?? 0) + 1;
}

const RecentPromptSchema = v.object({
  /** Hash of the text and its thread. */
  text: v.fallback(v.string(), ""),
  /** True when the prompt came from the queue. It may follow once more as an entry of its own. */
  queued: v.fallback(v.boolean(), false),
});

const StateSchema = v.object({
  // A new object each time, since the reader changes it.
  counts: v.fallback(LineCountsSchema, () => ({ total: 0, indexed: 0, skipped: {} })),
  lastSession: Text,
  /** State of the agent's adapter. */
  agentState: Text,
  recent: v.fallback(v.array(RecentPromptSchema), () => []),
  /** The prompts that were read, in the format of `SeenPrompts`. */
  prompts: v.fallback(v.string(), ""),
  /** By key of a thread, the position before which all entries are in closed turns. */
  closed: v.fallback(v.record(v.string(), PositionSchema), () => ({})),
});

/**
 * The version of the reader. Raise it when turns get words or facts that they did not have. The next ingest then reads
 * existing transcripts again, and their turns keep their ids.
 */
export const READER_VERSION = 6;

/** Counts of the lines before some point of a file. */
export type LineCounts = v.InferOutput<typeof LineCountsSchema>;

/** A recent prompt. It is used to recognise a prompt that comes both from the queue and by itself. */
export type RecentPrompt = v.InferOutput<typeof RecentPromptSchema>;

type StoredState = v.InferOutput<typeof StateSchema>;

/** The state of the reader at the start of the earliest open turn. */
export interface ReaderState extends Omit<StoredState, "recent"> {
  recent: readonly RecentPrompt[];
  sessions: readonly SessionFacts[];
}

/** Parses a text that `stateText` wrote. Returns an empty state when it is missing or not valid. */
export function parseState(text: string | null): StoredState {
  const json = (text === null ? null : parseObject(text)) ?? {};
  // Older versions stored the state of Claude Code's adapter under this name.
  const agentState = json.agentState ?? json.sidechain ?? null;
  return v.parse(StateSchema, { ...json, agentState });
}

/** Serialises the state. It contains no text of the transcript, so that `forget` need not change it. */
export function stateText(state: Omit<ReaderState, "sessions">): string {
  return JSON.stringify(state);
}

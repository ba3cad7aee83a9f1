import * as v from "valibot";
import type { SessionFacts } from "../domain.ts";
import { parseObject } from "./json.ts";
import type { Position } from "./position.ts";

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

const RecentPromptSchema = v.object({
  /** Hash of the text and its thread. */
  text: v.fallback(v.string(), ""),
  /** It came from the queue: the same prompt may follow as an entry of its own. */
  queued: v.fallback(v.boolean(), false),
});

const StateSchema = v.object({
  // Made anew each time: the reader counts in it.
  counts: v.fallback(LineCountsSchema, () => ({ total: 0, indexed: 0, skipped: {} })),
  lastSession: Text,
  /** What the agent's adapter knew. */
  agentState: Text,
  recent: v.fallback(v.array(RecentPromptSchema), () => []),
  /** The prompts that were read, as `SeenPrompts` writes them. */
  prompts: v.fallback(v.string(), ""),
  /** Threads, by key, whose entries before the given position are in turns that were closed. */
  closed: v.fallback(v.record(v.string(), PositionSchema), () => ({})),
});

/**
 * Which version of the reader this is. Raise it when turns get words that they did not have: transcripts that are still
 * there are then read again, by the next ingest, and their turns keep their ids.
 */
export const READER_VERSION = 1;

/** How the lines before some point of a file were counted. */
export type LineCounts = v.InferOutput<typeof LineCountsSchema>;

/** A prompt that was read lately, so that the same one is known when it comes from the queue and as itself. */
export type RecentPrompt = v.InferOutput<typeof RecentPromptSchema>;

type StoredState = v.InferOutput<typeof StateSchema>;

/** What the reader knew at the start of the earliest open turn, and what it needs to go on from there. */
export interface ReaderState extends Omit<StoredState, "recent"> {
  recent: readonly RecentPrompt[];
  sessions: readonly SessionFacts[];
}

/** Reads what `stateText` wrote; an empty state when it is missing or not such a text. */
export function parseState(text: string | null): StoredState {
  const json = (text === null ? null : parseObject(text)) ?? {};
  // Older versions wrote the state of Claude Code's adapter under this name.
  const agentState = json.agentState ?? json.sidechain ?? null;
  return v.parse(StateSchema, { ...json, agentState });
}

/** Serialises the state. It contains no text of the transcript, so that `forget` need not change it. */
export function stateText(state: Omit<ReaderState, "sessions">): string {
  return JSON.stringify(state);
}

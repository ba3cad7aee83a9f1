import type { SessionFacts } from "../domain.ts";
import { listOf, numberOf, objectOf, parseObject, stringOf } from "./json.ts";

/** How the lines before some point of a file were counted. */
export interface LineCounts {
  total: number;
  indexed: number;
  skipped: Record<string, number>;
}

/** A prompt that was read lately, so that the same one is known when it comes from the queue and as itself. */
export interface RecentPrompt {
  /** Hash of the text and its thread. */
  text: string;
  /** It came from the queue: the same prompt may follow as an entry of its own. */
  queued: boolean;
}

/** What the reader knew at the start of the earliest open turn, and what it needs to go on from there. */
export interface ReaderState {
  counts: LineCounts;
  lastSession: string | null;
  /** What the agent's adapter knew. */
  agentState: string | null;
  recent: readonly RecentPrompt[];
  /** The prompts that were read, as `SeenPrompts` writes them. */
  prompts: string;
  sessions: SessionFacts[];
  /** Threads, by key, whose entries before the given position are in turns that were closed. */
  closed: Record<string, number>;
}

export function emptyState(): ReaderState {
  return {
    counts: { total: 0, indexed: 0, skipped: {} },
    lastSession: null,
    agentState: null,
    recent: [],
    prompts: "",
    sessions: [],
    closed: {},
  };
}

/** Reads a state that `JSON.stringify` wrote; an empty one when it is missing or not such a state. */
export function parseState(text: string | null): ReaderState {
  const state = emptyState();
  const json = text === null ? null : parseObject(text);
  if (!json) return state;
  const counts = objectOf(json.counts);
  return {
    counts: {
      total: numberOf(counts?.total) ?? 0,
      indexed: numberOf(counts?.indexed) ?? 0,
      skipped: numbersOf(counts?.skipped),
    },
    lastSession: stringOf(json.lastSession),
    // Older versions wrote the state of Claude Code's adapter under this name.
    agentState: stringOf(json.agentState) ?? stringOf(json.sidechain),
    recent: listOf(json.recent).flatMap((item) => {
      const prompt = objectOf(item);
      return prompt ? [{ text: stringOf(prompt.text) ?? "", queued: prompt.queued === true }] : [];
    }),
    prompts: stringOf(json.prompts) ?? "",
    sessions: listOf(json.sessions).flatMap(sessionOf),
    closed: numbersOf(json.closed),
  };
}

/** Reads a state that `JSON.stringify` wrote, without what is known of some sessions. */
export function withoutSessions(state: string, isLeftOut: (session: SessionFacts) => boolean): ReaderState {
  const { sessions, ...rest } = parseState(state);
  return { ...rest, sessions: sessions.filter((session) => !isLeftOut(session)) };
}

function numbersOf(value: unknown): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [key, number] of Object.entries(objectOf(value) ?? {})) {
    if (typeof number === "number") numbers[key] = number;
  }
  return numbers;
}

function sessionOf(value: unknown): SessionFacts[] {
  const facts = objectOf(value);
  const sessionId = stringOf(facts?.sessionId);
  if (!facts || sessionId === null) return [];
  const source = facts.titleSource;
  return [
    {
      sessionId,
      projectDir: stringOf(facts.projectDir),
      title: stringOf(facts.title),
      titleSource: source === "summary" || source === "custom-title" || source === "ai-title" ? source : null,
      firstPrompt: stringOf(facts.firstPrompt),
      automated: typeof facts.automated === "boolean" ? facts.automated : null,
      branch: stringOf(facts.branch),
      startedAt: stringOf(facts.startedAt),
      endedAt: stringOf(facts.endedAt),
    },
  ];
}

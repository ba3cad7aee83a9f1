import * as v from "valibot";
import { DESCRIPTION_GRAPHEMES } from "../../constants.ts";
import type { SessionFacts, TitleSource } from "../../domain.ts";
import { parseObject } from "../../io/json.ts";
import { truncateGraphemes } from "../../text/cut.ts";
import { onOneLine } from "../../text/lines.ts";
import { namesMatter } from "../../text/names.ts";
import type { ConversationEvent } from "./events.ts";

/** The position of an entry in its file. A line usually contains one object, but several when a line break is missing. */
export interface Position {
  line: number;
  object: number;
}

export const START_POSITION: Position = { line: 0, object: 0 };

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

/** Maximum distinct kinds of skipped lines. Names come from the transcript, which may contain any. */
const MAX_KINDS = 100;

/** Counts a skipped line under its kind, or under a common one if the kind is invalid or there are too many. */
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
  /** The prompts read so far, in the format of `SeenPrompts`. */
  prompts: v.fallback(v.string(), ""),
  /** For each thread key, the position before which all entries are in closed turns. */
  closed: v.fallback(v.record(v.string(), PositionSchema), () => ({})),
});

/**
 * Version of the reader. Raise it when turns get additional words or facts. The next ingest then reads existing transcripts
 * again, and their turns keep their ids.
 */
export const READER_VERSION = 6;

/** Counts of the lines before a point of a file. */
export type LineCounts = v.InferOutput<typeof LineCountsSchema>;

/** A recent prompt, for recognising one that comes both from the queue and by itself. */
export type RecentPrompt = v.InferOutput<typeof RecentPromptSchema>;

type StoredState = v.InferOutput<typeof StateSchema>;

/** The reader's state at the start of the earliest open turn. */
export interface ReaderState extends Omit<StoredState, "recent"> {
  recent: readonly RecentPrompt[];
  sessions: readonly SessionFacts[];
}

/** Parses a text from `stateText`. Returns an empty state when it is missing or invalid. */
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

/** Precedence of titles. A person's title stays; a title made from the whole session replaces an older one. */
const RANK: Readonly<Record<TitleSource, number>> = { summary: 0, "ai-title": 1, "custom-title": 2 };

/** Collects facts about the sessions of one source from its events. */
export class FactCollector {
  readonly #sessions = new Map<string, SessionFacts>();
  readonly #changed = new Set<string>();
  readonly #clean: (text: string) => string;

  constructor(known: readonly SessionFacts[], clean: (text: string) => string) {
    this.#clean = clean;
    for (const facts of known) this.#sessions.set(facts.sessionId, facts);
  }

  /** Returns all facts, for the reader's state. */
  all(): SessionFacts[] {
    return [...this.#sessions.values()];
  }

  /** Returns the facts that changed since the last call. */
  take(): SessionFacts[] {
    const changed = [...this.#changed].map((id) => ({ ...this.#of(id) }));
    this.#changed.clear();
    return changed;
  }

  see(sessionId: string, event: ConversationEvent): void {
    const facts = this.#of(sessionId);
    facts.projectDir ??= event.cwd;
    facts.branch = event.branch ?? facts.branch;
    facts.automated = event.isTyped ? false : (facts.automated ?? event.isAutomated);
    facts.startedAt = earlier(facts.startedAt, event.timestamp);
    facts.endedAt = later(facts.endedAt, event.timestamp);
    this.#changed.add(sessionId);
  }

  firstPrompt(sessionId: string, text: string): void {
    const facts = this.#of(sessionId);
    facts.firstPrompt ??= named(firstWords(text));
    this.#changed.add(sessionId);
  }

  title(sessionId: string, source: TitleSource, given: string | null): boolean {
    const title = named(firstWords(this.#clean(given ?? "")));
    if (title === null) return false;
    const facts = this.#of(sessionId);
    if (facts.titleSource !== null && RANK[facts.titleSource] > RANK[source]) return true;
    facts.title = title;
    facts.titleSource = source;
    this.#changed.add(sessionId);
    return true;
  }

  #of(sessionId: string): SessionFacts {
    let facts = this.#sessions.get(sessionId);
    if (!facts) {
      facts = unknownFacts(sessionId);
      this.#sessions.set(sessionId, facts);
    }
    return facts;
  }
}

function unknownFacts(sessionId: string): SessionFacts {
  return {
    sessionId,
    projectDir: null,
    title: null,
    titleSource: null,
    firstPrompt: null,
    automated: null,
    branch: null,
    startedAt: null,
    endedAt: null,
  };
}

function named(title: string | null): string | null {
  return title !== null && namesMatter(title) ? title : null;
}

/** Returns the first words of a text on one line; null when there are none. */
export function firstWords(text: string): string | null {
  const line = onOneLine(text.slice(0, 20 * DESCRIPTION_GRAPHEMES));
  return line === "" ? null : truncateGraphemes(line, DESCRIPTION_GRAPHEMES);
}

function earlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}

import type { ConversationEvent, Message, ToolResult, TranscriptEvent } from "../ingest/transcript/events.ts";
import type { Recorder, Skipped } from "../ingest/transcript/recorder.ts";
import type { Place } from "../ingest/transcript/thread.ts";
import { utc } from "../text/when.ts";

/** What a record contains besides its message. Absent fields are unknown. */
export type About = Partial<Omit<ConversationEvent, "kind" | "message">>;

/** Returns the event of a message. */
export function conversation(message: Message, about: About): ConversationEvent {
  return {
    kind: "conversation",
    uuid: null,
    sessionId: null,
    agentId: null,
    timestamp: null,
    cwd: null,
    branch: null,
    version: null,
    model: null,
    isTyped: false,
    isAutomated: null,
    ...about,
    message,
  };
}

/** The result of a tool that adds only its text. */
export function resultOf(callId: string | null, isError: boolean, text: string): ToolResult {
  return { callId, isError, text, answers: [], report: null, plan: null };
}

/** Records all events of one record. Returns null when some of it is stored, else the reason why not. */
export function recordEach(recorder: Recorder, events: readonly TranscriptEvent[], place: Place): Skipped {
  let reason: Skipped = "empty";
  let isKept = false;
  for (const [index, event] of events.entries()) {
    const skipped = recorder.record(event, place);
    if (skipped === null) isKept = true;
    else if (index === 0) reason = skipped;
  }
  return isKept ? null : reason;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Returns the stored form of a time in ISO 8601 or in milliseconds; null for anything else. */
export function timeOf(value: unknown): string | null {
  if (typeof value === "string") return ISO_TIME.test(value) ? utc(value) : null;
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

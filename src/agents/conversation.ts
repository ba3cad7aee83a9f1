import type { TitleSource } from "../domain.ts";
import type {
  AgentWork,
  ConversationEvent,
  Message,
  Said,
  TitleEvent,
  ToolResult,
} from "../ingest/transcript/events.ts";
import type { LineAdapter, RecordAdapter } from "../ingest/transcript/json-lines.ts";
import type { RecordSource } from "../ingest/transcript/recorder.ts";
import type { ReaderState } from "../ingest/transcript/state.ts";
import { asObjects, asString, type JsonObject } from "../io/json.ts";
import { toUtc } from "../text/when.ts";
import type { SourceFile, SourceReader } from "./agent.ts";

/** Fields of a record besides its message. Absent fields are unknown. */
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

/** Returns a typed prompt, or the reason why there is none. */
export function typedPrompt(text: string, reason = "no_text"): Said {
  return text.trim() === "" ? { kind: "skipped", reason } : { kind: "prompt", text, isQueued: false };
}

/** Returns the place of a compaction and, if known, the summary with which the session continues. */
export function compaction(
  summary: string | null,
  about: About,
  preTokens: number | null = null,
): ConversationEvent[] {
  const mark = conversation({ kind: "compaction", trigger: null, preTokens }, about);
  return summary === null
    ? [mark]
    : [mark, conversation({ kind: "compaction_summary", text: summary }, about)];
}

/** Returns the model's words and calls and, if the record contains them, their results under another id. */
export function worked(
  work: Omit<AgentWork, "kind">,
  results: readonly ToolResult[],
  about: About,
  resultsId: string | null,
): ConversationEvent[] {
  const event = conversation({ kind: "work", ...work }, about);
  const after = { ...about, uuid: resultsId };
  return results.length === 0
    ? [event]
    : [event, conversation({ kind: "results", results, said: null }, after)];
}

/** Returns the result of a tool that contains only text. */
export function resultOf(callId: string | null, isError: boolean, text: string): ToolResult {
  return { callId, isError, text, answers: [], report: null, plan: null };
}

/** Returns the texts of a list of parts. */
export function partTexts(parts: unknown): string[] {
  return asObjects(parts).flatMap(({ text }) => asString(text) ?? []);
}

/** Returns the source of a conversation, or of the work of one of its subagents. */
export function agentSource(
  { sessionId, agentId }: Pick<SourceFile, "sessionId" | "agentId">,
  subagent: { type: string | null; task: string | null } = { type: null, task: null },
): RecordSource {
  return { sessionId, subagent: agentId === null ? null : { id: agentId, ...subagent } };
}

/** Returns the title that its agent gave to a session. */
export function titled(
  sessionId: string | null,
  title: string | null,
  source: TitleSource = "ai-title",
): [TitleEvent] {
  return [{ kind: "title", sessionId, source, title }];
}

/** Loads the reader of a file of JSON lines, or of its new part. */
export async function lineReader(
  adapterOf: (path: string, state: ReaderState) => LineAdapter,
): Promise<SourceReader> {
  const { readJsonLines } = await import("../ingest/transcript/json-lines.ts");
  return (path, options) => readJsonLines(path, options, (state) => adapterOf(path, state));
}

/** Loads the reader of a source that is read whole: its records in order, and their interpreter. */
export async function recordReader(
  open: (path: string) => { records: Iterable<JsonObject>; adapter: RecordAdapter },
): Promise<SourceReader> {
  const { readRecords } = await import("../ingest/transcript/json-lines.ts");
  return async function* (path, options) {
    const { records, adapter } = open(path);
    yield readRecords(records, options, adapter);
  };
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Returns a time from ISO 8601 or milliseconds in its stored form; null for anything else. */
export function timeOf(value: unknown): string | null {
  if (typeof value === "string") return ISO_TIME.test(value) ? toUtc(value) : null;
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

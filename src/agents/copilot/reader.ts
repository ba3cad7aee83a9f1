import { basename, dirname } from "node:path";
import type { ConversationEvent, Message, RecordContext, ToolCall } from "../../ingest/transcript/events.ts";
import type { LineAdapter, Read } from "../../ingest/transcript/json-lines.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { Skipped, Source } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, numberOf, objectOf, parseObject, stringOf } from "../../io/json.ts";
import { utc } from "../../text/when.ts";
import { conversation, titled } from "../conversation.ts";
import { toolCall } from "../tool-table.ts";
import { type Asked, editsOf, resultOf, TOOLS } from "./tools.ts";

const SHAPE: RecordShape = {
  start: /\{\s*"type"\s*:/,
  isRecord: ({ type, data, id }) =>
    stringOf(type) !== null && objectOf(data) !== null && stringOf(id) !== null,
};

/** Kinds that are always skipped. The type is the first key. */
const NOISE =
  /^\{"type":"(system\.message|hook\.\w+|session\.usage_record|assistant\.turn_\w+|tool\.execution_start)"/;
const HEAD_CHARS = 60;

/** The directory and branch of the session. */
type Where = Pick<RecordContext, "cwd" | "branch" | "version">;

/** Interprets the lines of a session of Copilot CLI. */
export class EventLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly source: Source;
  #where: Where;
  /** Calls of the open turns that return words of the conversation. */
  readonly #asked = new Map<string, Asked>();
  /** Calls that name the file that they change themselves. */
  readonly #touching = new Set<string>();

  constructor(path: string, state: ReaderState) {
    this.source = { sessionId: basename(dirname(path)), subagent: null };
    const known = (state.agentState === null ? null : parseObject(state.agentState)) ?? {};
    this.#where = {
      cwd: stringOf(known.cwd),
      branch: stringOf(known.branch),
      version: stringOf(known.version),
    };
  }

  get state(): string {
    return JSON.stringify(this.#where);
  }

  passOver(lines: LineReader): Skipped {
    if (lines.hasGlue()) return null;
    const { bytes, start, end } = lines;
    return NOISE.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)))?.[1] ?? null;
  }

  read(record: JsonObject): Read {
    const type = stringOf(record.type);
    const data = objectOf(record.data);
    if (type === null || data === null) return "no_type";
    switch (type) {
      case "session.start":
      case "session.resume":
      case "session.context_changed":
        this.#move(data);
        return type;
      case "user.message":
        return [this.#say(record, promptOf(record, data))];
      case "assistant.message":
        return [this.#say(record, this.#workOf(data))];
      case "tool.user_requested":
        return [this.#say(record, work([callOf(data.toolCallId, data.toolName, data.arguments)]))];
      case "tool.execution_complete":
        return this.#completed(record, data);
      case "session.compaction_complete":
        return this.#compacted(record, data);
      case "session.title_changed":
        return titled(this.source.sessionId, stringOf(data.title));
      default:
        return type;
    }
  }

  #move(data: JsonObject): void {
    const context = objectOf(data.context) ?? data;
    this.#where = {
      cwd: stringOf(context.cwd) ?? this.#where.cwd,
      branch: stringOf(context.branch) ?? this.#where.branch,
      version: stringOf(data.copilotVersion) ?? this.#where.version,
    };
  }

  #workOf(data: JsonObject): Message {
    const texts: EntryText[] = [];
    const thought = stringOf(data.reasoningText);
    if (thought !== null) texts.push({ text: thought, isThinking: true });
    const text = stringOf(data.content);
    if (text !== null) texts.push({ text, isThinking: false });
    const calls = listOf(data.toolRequests).map((given) => {
      const request = objectOf(given);
      const call = callOf(request?.toolCallId, request?.name, request?.arguments);
      const question = stringOf(objectOf(request?.arguments)?.question);
      if (call?.returnsWords && call.id !== null) this.#asked.set(call.id, { question });
      if (call && call.paths.length > 0 && call.id !== null) this.#touching.add(call.id);
      return call;
    });
    return work(calls, texts);
  }

  #completed(record: JsonObject, data: JsonObject): Read {
    const asked = this.#asked.get(stringOf(data.toolCallId) ?? "") ?? null;
    const results = this.#say(record, { kind: "results", results: [resultOf(data, asked)], said: null });
    const calls = this.#touching.has(stringOf(data.toolCallId) ?? "") ? [] : editsOf(data);
    return calls.length === 0 ? [results] : [results, this.#say(record, work(calls), ":edits")];
  }

  #compacted(record: JsonObject, data: JsonObject): Read {
    if (data.success === false) return "session.compaction_complete";
    const preTokens = numberOf(data.preCompactionTokens);
    const mark = this.#say(record, { kind: "compaction", trigger: null, preTokens });
    const text = stringOf(data.summaryContent);
    return text === null ? [mark] : [mark, this.#say(record, { kind: "compaction_summary", text })];
  }

  #say(record: JsonObject, message: Message, suffix = ""): ConversationEvent {
    const timestamp = stringOf(record.timestamp);
    const id = stringOf(record.id);
    return conversation(message, {
      uuid: id === null ? null : id + suffix,
      sessionId: this.source.sessionId,
      agentId: stringOf(record.agentId),
      timestamp: timestamp === null ? null : utc(timestamp),
      ...this.#where,
      model: stringOf(objectOf(record.data)?.model),
    });
  }
}

function work(given: readonly (ToolCall | null)[], texts: readonly EntryText[] = []): Message {
  return { kind: "work", texts, calls: given.filter((call) => call !== null) };
}

/**
 * `content` is the prompt as typed. `transformedContent` is what the model got, with reminders and mementor's output.
 */
function promptOf(record: JsonObject, data: JsonObject): Message {
  const source = stringOf(data.source);
  const isForSubagent = stringOf(record.agentId) !== null;
  // A skill or the client wrote this in the user's name.
  if (source !== null && source !== "user" && !isForSubagent)
    return { kind: "skipped", reason: source.replace(/-.*/s, "") };
  const text = stringOf(data.content);
  if (text === null || text.trim() === "") return { kind: "skipped", reason: "no_text" };
  return { kind: "prompt", text, isQueued: false };
}

function callOf(id: unknown, name: unknown, args: unknown): ToolCall | null {
  const known = stringOf(name);
  return known === null ? null : toolCall(TOOLS, stringOf(id), known, objectOf(args));
}

import { basename, dirname } from "node:path";
import type { ConversationEvent, Message, RecordContext, ToolCall } from "../../ingest/transcript/events.ts";
import { type LineAdapter, readJsonLines } from "../../ingest/transcript/json-lines.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { EntryText, ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, numberOf, objectOf, parseObject, stringOf } from "../../io/json.ts";
import { utc } from "../../text/when.ts";
import { toolCall } from "../tool-table.ts";
import { type Asked, editsOf, resultOf, TOOLS } from "./tools.ts";

/** Reads a session of Copilot CLI, or what was added to it since `options.from`; see `readJsonLines`. */
export function readEvents(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  return readJsonLines(path, options, (state) => new EventLines(path, state, options));
}

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

class EventLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly recorder: Recorder;
  readonly #sessionId: string;
  #where: Where;
  /** Calls of the open turns that return words of the conversation. */
  readonly #asked = new Map<string, Asked>();
  /** Calls that name the file that they change themselves. */
  readonly #touching = new Set<string>();

  constructor(path: string, state: ReaderState, { redact, rootsOf }: ReadOptions) {
    this.#sessionId = basename(dirname(path));
    const known = (state.agentState === null ? null : parseObject(state.agentState)) ?? {};
    this.#where = {
      cwd: stringOf(known.cwd),
      branch: stringOf(known.branch),
      version: stringOf(known.version),
    };
    const source = { sessionId: this.#sessionId, subagent: null };
    this.recorder = new Recorder(state, { redact, rootsOf, source });
  }

  get state(): string {
    return JSON.stringify(this.#where);
  }

  passOver(lines: LineReader): Skipped {
    if (lines.hasGlue()) return null;
    const { bytes, start, end } = lines;
    return NOISE.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)))?.[1] ?? null;
  }

  read(record: JsonObject, place: Place): Skipped {
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
        return this.#say(record, promptOf(record, data), place);
      case "assistant.message":
        return this.#say(record, this.#workOf(data), place);
      case "tool.user_requested":
        return this.#say(
          record,
          this.#calls([callOf(data.toolCallId, data.toolName, data.arguments)]),
          place,
        );
      case "tool.execution_complete":
        return this.#completed(record, data, place);
      case "session.compaction_complete":
        return this.#compacted(record, data, place);
      case "session.title_changed": {
        const title = stringOf(data.title);
        return this.recorder.record(
          { kind: "title", sessionId: this.#sessionId, source: "ai-title", title },
          place,
        );
      }
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
    return { ...this.#calls(calls), texts };
  }

  #calls(given: readonly (ToolCall | null)[]) {
    const calls = given.filter((call) => call !== null);
    return { kind: "work" as const, texts: [], calls };
  }

  #completed(record: JsonObject, data: JsonObject, place: Place): Skipped {
    const asked = this.#asked.get(stringOf(data.toolCallId) ?? "") ?? null;
    const results: Message = { kind: "results", results: [resultOf(data, asked)], said: null };
    const kept = this.#say(record, results, place);
    const calls = this.#touching.has(stringOf(data.toolCallId) ?? "") ? [] : editsOf(data);
    if (calls.length === 0) return kept;
    const edited = this.#say(record, { kind: "work", texts: [], calls }, place, ":edits");
    return kept === null ? null : edited;
  }

  #compacted(record: JsonObject, data: JsonObject, place: Place): Skipped {
    if (data.success === false) return "session.compaction_complete";
    const preTokens = numberOf(data.preCompactionTokens);
    const skipped = this.#say(record, { kind: "compaction", trigger: null, preTokens }, place);
    const text = stringOf(data.summaryContent);
    return text === null ? skipped : this.#say(record, { kind: "compaction_summary", text }, place);
  }

  #say(record: JsonObject, message: Message, place: Place, suffix = ""): Skipped {
    const timestamp = stringOf(record.timestamp);
    const id = stringOf(record.id);
    const event: ConversationEvent = {
      kind: "conversation",
      uuid: id === null ? null : id + suffix,
      sessionId: this.#sessionId,
      agentId: stringOf(record.agentId),
      timestamp: timestamp === null ? null : utc(timestamp),
      ...this.#where,
      model: stringOf(objectOf(record.data)?.model),
      isTyped: false,
      isAutomated: null,
      message,
    };
    return this.recorder.record(event, place);
  }
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

import { resolve } from "node:path";
import type { ConversationEvent, Message, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import { type LineAdapter, type LineResult, readJsonLines } from "../../ingest/transcript/json-lines.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { RecordSource, Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { asObject, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { toUtc } from "../../text/when.ts";
import { type About, agentSource, compaction, conversation, resultOf, titled } from "../conversation.ts";
import { decompress, headOfRollout, isCompressed, type RolloutHead, threadIdOf } from "./head.ts";
import {
  agentMessage,
  filesOfChanges,
  isInjectedContext,
  itemContent,
  joinParts,
  promptMessage,
  readResult,
  readSummary,
  textMessage,
} from "./items.ts";
import { changeCalls, customCalls, functionCalls, TurnState, webSearchCall } from "./tools.ts";

/** Reads a rollout of Codex in any of its formats, or its part after `options.from`. See `readJsonLines`. */
export function readRollout(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  const file = isCompressed(path) ? decompress(path) : path;
  return readJsonLines(file, options, (state) => new RolloutLines(path, state));
}

const SHAPE: RecordShape = {
  start: /\{\s*"timestamp"\s*:/,
  isRecord: ({ type, payload }) => asString(type) !== null && asObject(payload) !== null,
};

const NO_HEAD: RolloutHead = {
  sessionId: null,
  agentId: null,
  agentType: null,
  agentPath: null,
  cwd: null,
  branch: null,
  version: null,
  isAutomated: null,
};

/** The identity of a record's event within its turn, and the directory of its command. */
interface Named {
  id: string;
  cwd?: string | null;
}

/** Interprets the lines of a rollout. */
class RolloutLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly source: RecordSource;
  readonly #head: RolloutHead;
  readonly #turn: TurnState;
  /** Calls that the model's own records contain, and calls whose end an item contains. Other records add nothing to them. */
  readonly #called = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(path: string, state: ReaderState) {
    this.#head = headOfRollout(path) ?? { ...NO_HEAD, sessionId: threadIdOf(path) };
    this.#turn = new TurnState(state.agentState);
    this.source = agentSource(this.#head, { type: this.#head.agentType, task: null });
  }

  get state(): string | null {
    return this.#turn.text;
  }

  passOver(lines: LineReader): Skipped {
    return lines.hasGlue() ? null : passedOver(lines);
  }

  read(record: JsonObject, { line }: Place): LineResult {
    const type = asString(record.type);
    const payload = asObject(record.payload);
    if (payload === null) return this.#bare(record, type, line);
    if (type === null) return "no_type";
    switch (type) {
      case "turn_context":
        this.#turn.context(payload);
        return type;
      case "compacted":
        return this.#compacted(record, payload, line);
      case "event_msg":
        return this.#event(record, payload, line);
      case "response_item":
        return this.#responseItem(record, payload, line);
      default:
        return type;
    }
  }

  /** Reads a record of the oldest rollouts, which have no envelope, and only the model's own records of messages. */
  #bare(record: JsonObject, type: string | null, line: number): LineResult {
    if (type === null)
      return "record_type" in record || "instructions" in record ? "session_meta" : "no_type";
    if (type === "message" && record.role === "user") {
      const text = joinParts(record.content);
      return isInjectedContext(text) ? "context" : this.#user(record, promptMessage(text));
    }
    if (type === "message" && record.role === "assistant")
      return this.#words(record, textMessage(joinParts(record.content), false));
    if (type === "reasoning") return this.#words(record, textMessage(joinParts(record.summary), true));
    return this.#responseItem(record, record, line);
  }

  #event(record: JsonObject, payload: JsonObject, line: number): LineResult {
    switch (payload.type) {
      case "task_started":
        this.#turn.start(payload);
        return "task_started";
      case "item_completed":
        return this.#item(record, payload, line);
      case "user_message":
        return this.#user(record, promptMessage(asString(payload.message) ?? ""));
      case "agent_message":
        return this.#words(record, textMessage(asString(payload.message) ?? "", false));
      case "agent_reasoning":
        return this.#words(record, textMessage(asString(payload.text) ?? "", true));
      case "patch_apply_end":
        return this.#patched(record, payload, line);
      case "thread_name_updated":
        return titled(this.#head.sessionId, asString(payload.thread_name), "custom-title");
      default:
        return asString(payload.type) ?? "event_msg";
    }
  }

  #item(record: JsonObject, payload: JsonObject, line: number): LineResult {
    const item = asObject(payload.item) ?? {};
    const content = itemContent(item);
    if (content === null) return asString(item.type) ?? "item_completed";
    if (item.type === "UserMessage") return this.#user(record, content.message);
    if (content.message.kind !== "work" || content.message.calls.length === 0)
      return this.#words(record, content.message);
    // An item that ends after its turn adds nothing to the next turn, unless no other record has it.
    const isLate = !this.#turn.isCurrent(asString(payload.turn_id));
    if (isLate && !/^exec-/.test(asString(item.id) ?? "")) return "late_item";
    const callId = asString(item.id) ?? "";
    const id = `item:${callId || line}`;
    const cwd = asString(item.cwd)?.replace(/^file:\/\//, "") ?? null;
    const { results } = content;
    if (results.length > 0) this.#ended.add(callId);
    return this.#callAndResults(record, { callId, work: content.message, results, id, cwd });
  }

  /** Returns the new information about a call and its end, without what the model's own record contained. */
  #callAndResults(
    record: JsonObject,
    {
      callId,
      work,
      results,
      id,
      cwd = null,
    }: { callId: string; work: Message; results: readonly ToolResult[] } & Named,
  ): LineResult {
    const told = this.#called.has(callId) ? [] : [this.#say(record, work, { id, cwd })];
    if (results.length > 0)
      told.push(this.#say(record, { kind: "results", results, said: null }, { id: `${id}:result`, cwd }));
    return told.length === 0 ? "known_call" : told;
  }

  #responseItem(record: JsonObject, payload: JsonObject, line: number): LineResult {
    const callId = asString(payload.call_id);
    const name = asString(payload.name) ?? "";
    const id = `${callId ?? line}`;
    switch (payload.type) {
      case "function_call": {
        const calls = functionCalls(callId, name, asString(payload.namespace), payload.arguments);
        return this.#call(record, calls, { id, cwd: workdirOf(payload) });
      }
      case "local_shell_call": {
        const action = JSON.stringify(asObject(payload.action) ?? {});
        return this.#call(record, functionCalls(callId, "local_shell", null, action), { id });
      }
      case "custom_tool_call":
        return this.#call(record, customCalls(callId, name, asString(payload.input) ?? ""), { id });
      case "web_search_call": {
        const query = asString(asObject(payload.action)?.query);
        return this.#call(record, [webSearchCall(null, query)], { id });
      }
      case "function_call_output":
      case "custom_tool_call_output": {
        if (callId !== null && this.#ended.has(callId)) return "tool_result";
        const results = [readResult(callId, payload.output)];
        return [this.#say(record, { kind: "results", results, said: null }, { id: `output:${id}` })];
      }
      case "agent_message": {
        const message = agentMessage(payload, this.#head.agentPath);
        if (message.kind === "prompt") return this.#user(record, message);
        return [this.#say(record, message, { id: `report:${line}` })];
      }
      default:
        return asString(payload.type) ?? "response_item";
    }
  }

  #call(record: JsonObject, calls: readonly ToolCall[], { id, cwd = null }: Named): LineResult {
    for (const call of calls) if (call.id !== null) this.#called.add(call.id);
    return [this.#say(record, { kind: "work", texts: [], calls }, { id: `call:${id}`, cwd })];
  }

  #patched(record: JsonObject, payload: JsonObject, line: number): LineResult {
    const callId = asString(payload.call_id);
    const calls = changeCalls(callId, filesOfChanges(asObject(payload.changes)));
    const hasFailed = payload.success === false;
    if (hasFailed) this.#ended.add(callId ?? "");
    return this.#callAndResults(record, {
      callId: callId ?? "",
      work: { kind: "work", texts: [], calls },
      results: hasFailed ? [resultOf(callId, true, asString(payload.stderr) ?? "")] : [],
      id: `patch:${callId ?? line}`,
    });
  }

  /** Records the place of a compaction, and its summary as a turn. */
  #compacted(record: JsonObject, payload: JsonObject, line: number): LineResult {
    const id = `compaction:${asString(record.timestamp) ?? line}`;
    return compaction(readSummary(payload.message), this.#about(record, { id }));
  }

  #user(record: JsonObject, message: Message): LineResult {
    if (message.kind !== "prompt") return message.kind;
    return [this.#say(record, message, { id: `user:${this.#turn.next("prompts")}` })];
  }

  #words(record: JsonObject, message: Message): LineResult {
    return [this.#say(record, message, { id: `words:${this.#turn.next("words")}` })];
  }

  #say(record: JsonObject, message: Message, named: Named): ConversationEvent {
    return conversation(message, this.#about(record, named));
  }

  #about(record: JsonObject, { id, cwd = null }: Named): About {
    const { sessionId, agentId, branch, version, isAutomated } = this.#head;
    const timestamp = asString(record.timestamp);
    const base = this.#turn.now.cwd ?? this.#head.cwd;
    return {
      uuid: this.#turn.now.id === null ? null : `${this.#turn.now.id}:${id}`,
      sessionId,
      agentId,
      timestamp: timestamp === null ? null : toUtc(timestamp),
      cwd: cwd === null || base === null ? (cwd ?? base) : resolve(base, cwd),
      branch,
      version,
      model: this.#turn.now.model,
      isAutomated,
    };
  }
}

/** Returns the directory of a command; null when its call names none. */
function workdirOf({ arguments: args }: JsonObject): string | null {
  if (typeof args !== "string" || !args.includes('"workdir"')) return null;
  return asString(parseObject(args)?.workdir);
}

/** Length of a line's start that contains its two types. */
const HEAD_CHARS = 160;
const HEAD = /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/;

const NOISE = new Set(["world_state", "token_usage_record", "session_meta"]);
/** Items with injected text, as the model saw it. Prompts and answers have separate records. */
const NOISE_ITEMS = new Set(["message", "reasoning", "additional_tools"]);
const NOISE_EVENTS = new Set(["token_count", "thread_settings_applied"]);

/** Returns the kind of a line that is skipped without parsing; null for any other line. */
function passedOver({ bytes, start, end }: LineReader): string | null {
  const head = HEAD.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)));
  if (head === null) return null;
  const [, type = "", kind = ""] = head;
  if (NOISE.has(type)) return type;
  if (type === "response_item" && NOISE_ITEMS.has(kind)) return kind;
  return type === "event_msg" && NOISE_EVENTS.has(kind) ? kind : null;
}

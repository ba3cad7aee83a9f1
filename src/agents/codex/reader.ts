import { resolve } from "node:path";
import type { ConversationEvent, Message, ToolCall } from "../../ingest/transcript/events.ts";
import { type LineAdapter, readJsonLines } from "../../ingest/transcript/json-lines.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, objectOf, stringOf } from "../../io/json.ts";
import { utc } from "../../text/when.ts";
import { decompressed, headOfRollout, isCompressed, type RolloutHead, threadIdOf } from "./head.ts";
import {
  agentMessage,
  filesOfChanges,
  isContext,
  itemContent,
  plainResult,
  promptOf,
  resultOf,
  summaryOf,
  textsOf,
  words,
} from "./items.ts";
import { changeCalls, customCalls, functionCalls, TurnState, webSearchCall } from "./tools.ts";

/**
 * Reads a rollout of Codex in any of its formats, or what was added to it since `options.from`. See `readJsonLines`.
 */
export function readRollout(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  const file = isCompressed(path) ? decompressed(path) : path;
  return readJsonLines(file, options, (state) => new RolloutLines(path, state, options));
}

const SHAPE: RecordShape = {
  start: /\{\s*"timestamp"\s*:/,
  isRecord: ({ type, payload }) => stringOf(type) !== null && objectOf(payload) !== null,
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

class RolloutLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly recorder: Recorder;
  readonly #head: RolloutHead;
  readonly #turn: TurnState;
  /** Calls that the model's own records told, and calls whose end an item told: the other record adds nothing. */
  readonly #called = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(path: string, state: ReaderState, { redact, rootsOf }: ReadOptions) {
    this.#head = headOfRollout(path) ?? { ...NO_HEAD, sessionId: threadIdOf(path) };
    this.#turn = new TurnState(state.agentState);
    const { sessionId, agentId, agentType } = this.#head;
    const subagent = agentId === null ? null : { id: agentId, type: agentType, task: null };
    this.recorder = new Recorder(state, { redact, rootsOf, source: { sessionId, subagent } });
  }

  get state(): string | null {
    return this.#turn.text;
  }

  passOver(lines: LineReader): Skipped {
    return lines.hasGlue() ? null : passedOver(lines);
  }

  read(record: JsonObject, place: Place): Skipped {
    const type = stringOf(record.type);
    const payload = objectOf(record.payload);
    if (payload === null) return this.#bare(record, type, place);
    if (type === null) return "no_type";
    switch (type) {
      case "turn_context":
        this.#turn.context(payload);
        return type;
      case "compacted":
        return this.#compacted(record, payload, place);
      case "event_msg":
        return this.#event(record, payload, place);
      case "response_item":
        return this.#responseItem(record, payload, place);
      default:
        return type;
    }
  }

  /** Reads a record of the oldest rollouts, which have no envelope, and no records of what was said but the model's own. */
  #bare(record: JsonObject, type: string | null, place: Place): Skipped {
    if (type === null)
      return "record_type" in record || "instructions" in record ? "session_meta" : "no_type";
    if (type === "message" && record.role === "user") {
      const text = textsOf(record.content);
      return isContext(text) ? "context" : this.#user(record, promptOf(text), place);
    }
    if (type === "message" && record.role === "assistant")
      return this.#words(record, words(textsOf(record.content), false), place);
    if (type === "reasoning") return this.#words(record, words(textsOf(record.summary), true), place);
    return this.#responseItem(record, record, place);
  }

  #event(record: JsonObject, payload: JsonObject, place: Place): Skipped {
    switch (payload.type) {
      case "task_started":
        this.#turn.start(payload);
        return "task_started";
      case "item_completed":
        return this.#item(record, payload, place);
      case "user_message":
        return this.#user(record, promptOf(stringOf(payload.message) ?? ""), place);
      case "agent_message":
        return this.#words(record, words(stringOf(payload.message) ?? "", false), place);
      case "agent_reasoning":
        return this.#words(record, words(stringOf(payload.text) ?? "", true), place);
      case "patch_apply_end":
        return this.#patched(record, payload, place);
      case "thread_name_updated": {
        const { sessionId } = this.#head;
        const title = stringOf(payload.thread_name);
        return this.recorder.record({ kind: "title", sessionId, source: "custom-title", title }, place);
      }
      default:
        return stringOf(payload.type) ?? "event_msg";
    }
  }

  #item(record: JsonObject, payload: JsonObject, place: Place): Skipped {
    const item = objectOf(payload.item) ?? {};
    const content = itemContent(item);
    if (content === null) return stringOf(item.type) ?? "item_completed";
    if (item.type === "UserMessage") return this.#user(record, content.message, place);
    if (content.message.kind !== "work" || content.message.calls.length === 0)
      return this.#words(record, content.message, place);
    // An item that ends after its turn adds nothing to the next turn, unless no other record has it.
    const isLate = !this.#turn.isCurrent(stringOf(payload.turn_id));
    if (isLate && !/^exec-/.test(stringOf(item.id) ?? "")) return "late_item";
    const callId = stringOf(item.id) ?? "";
    const id = `item:${callId || place.line}`;
    const cwd = stringOf(item.cwd)?.replace(/^file:\/\//, "") ?? null;
    const isKnown = this.#called.has(callId);
    const kept = isKnown ? "known_call" : this.#say(record, content.message, { id, cwd, place });
    if (content.results.length === 0) return kept;
    this.#ended.add(callId);
    const results: Message = { kind: "results", results: content.results, said: null };
    const failed = this.#say(record, results, { id: `${id}:result`, cwd, place });
    return kept === null ? null : failed;
  }

  #responseItem(record: JsonObject, payload: JsonObject, place: Place): Skipped {
    const callId = stringOf(payload.call_id);
    const name = stringOf(payload.name) ?? "";
    const id = `${callId ?? place.line}`;
    switch (payload.type) {
      case "function_call": {
        const calls = functionCalls(callId, name, stringOf(payload.namespace), payload.arguments);
        return this.#call(record, calls, { id, cwd: workdirOf(payload), place });
      }
      case "local_shell_call": {
        const action = JSON.stringify(objectOf(payload.action) ?? {});
        return this.#call(record, functionCalls(callId, "local_shell", null, action), {
          id,
          cwd: null,
          place,
        });
      }
      case "custom_tool_call":
        return this.#call(record, customCalls(callId, name, stringOf(payload.input) ?? ""), {
          id,
          cwd: null,
          place,
        });
      case "web_search_call": {
        const query = stringOf(objectOf(payload.action)?.query);
        return this.#call(record, [webSearchCall(null, query)], { id, cwd: null, place });
      }
      case "function_call_output":
      case "custom_tool_call_output": {
        if (callId !== null && this.#ended.has(callId)) return "tool_result";
        const results = [resultOf(callId, payload.output)];
        return this.#say(
          record,
          { kind: "results", results, said: null },
          { id: `output:${id}`, cwd: null, place },
        );
      }
      case "agent_message": {
        const message = agentMessage(payload, this.#head.agentPath);
        if (message.kind === "prompt") return this.#user(record, message, place);
        return this.#say(record, message, { id: `report:${place.line}`, cwd: null, place });
      }
      default:
        return stringOf(payload.type) ?? "response_item";
    }
  }

  #call(
    record: JsonObject,
    calls: readonly ToolCall[],
    { id, cwd, place }: { id: string; cwd: string | null; place: Place },
  ): Skipped {
    for (const call of calls) if (call.id !== null) this.#called.add(call.id);
    return this.#say(record, { kind: "work", texts: [], calls }, { id: `call:${id}`, cwd, place });
  }

  #patched(record: JsonObject, payload: JsonObject, place: Place): Skipped {
    const callId = stringOf(payload.call_id);
    const calls = changeCalls(callId, filesOfChanges(objectOf(payload.changes)));
    const id = `patch:${callId ?? place.line}`;
    const isKnown = this.#called.has(callId ?? "");
    const work: Message = { kind: "work", texts: [], calls };
    const kept = isKnown ? "known_call" : this.#say(record, work, { id, cwd: null, place });
    if (payload.success !== false) return kept;
    this.#ended.add(callId ?? "");
    const results = [plainResult(callId, true, stringOf(payload.stderr) ?? "")];
    return this.#say(
      record,
      { kind: "results", results, said: null },
      { id: `${id}:result`, cwd: null, place },
    );
  }

  /** Records the place of a compaction, and its summary as a turn. */
  #compacted(record: JsonObject, payload: JsonObject, place: Place): Skipped {
    const id = `compaction:${stringOf(record.timestamp) ?? place.line}`;
    const mark: Message = { kind: "compaction", trigger: null, preTokens: null };
    const skipped = this.#say(record, mark, { id, cwd: null, place });
    const text = summaryOf(payload.message);
    if (text === "") return skipped;
    return this.#say(record, { kind: "compaction_summary", text }, { id, cwd: null, place });
  }

  #user(record: JsonObject, message: Message, place: Place): Skipped {
    if (message.kind !== "prompt") return message.kind;
    return this.#say(record, message, { id: `user:${this.#turn.nextPrompt()}`, cwd: null, place });
  }

  #words(record: JsonObject, message: Message, place: Place): Skipped {
    return this.#say(record, message, { id: `words:${this.#turn.nextWords()}`, cwd: null, place });
  }

  #say(
    record: JsonObject,
    message: Message,
    { id, cwd, place }: { id: string; cwd: string | null; place: Place },
  ): Skipped {
    const { sessionId, agentId, branch, version, isAutomated } = this.#head;
    const timestamp = stringOf(record.timestamp);
    const base = this.#turn.cwd ?? this.#head.cwd;
    const event: ConversationEvent = {
      kind: "conversation",
      uuid: this.#turn.id === null ? null : `${this.#turn.id}:${id}`,
      sessionId,
      agentId,
      timestamp: timestamp === null ? null : utc(timestamp),
      cwd: cwd === null || base === null ? (cwd ?? base) : resolve(base, cwd),
      branch,
      version,
      model: this.#turn.model,
      isTyped: false,
      isAutomated,
      message,
    };
    return this.recorder.record(event, place);
  }
}

/** Returns the directory of a command; null when its call names none. */
function workdirOf({ arguments: args }: JsonObject): string | null {
  if (typeof args !== "string" || !args.includes('"workdir"')) return null;
  try {
    return stringOf(objectOf(JSON.parse(args))?.workdir);
  } catch {
    return null;
  }
}

/** Length of a line's start that contains its two types. */
const HEAD_CHARS = 160;
const HEAD = /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/;

const NOISE = new Set(["world_state", "token_usage_record", "session_meta"]);
/** Messages contain what the model saw, with injected text. Prompts and answers have separate records. */
const NOISE_ITEMS = new Set(["message", "reasoning", "additional_tools"]);
const NOISE_EVENTS = new Set(["token_count", "thread_settings_applied"]);

/** Returns the kind of a line that is always skipped, without parsing it. Null for any other line. */
function passedOver({ bytes, start, end }: LineReader): string | null {
  const head = HEAD.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)));
  if (head === null) return null;
  const [, type = "", kind = ""] = head;
  if (NOISE.has(type)) return type;
  if (type === "response_item" && NOISE_ITEMS.has(kind)) return kind;
  return type === "event_msg" && NOISE_EVENTS.has(kind) ? kind : null;
}

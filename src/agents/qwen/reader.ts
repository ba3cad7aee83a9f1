import { basename } from "node:path";
import type { ConversationEvent, Message } from "../../ingest/transcript/events.ts";
import { type LineAdapter, readJsonLines } from "../../ingest/transcript/json-lines.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, numberOf, objectOf, stringOf } from "../../io/json.ts";
import { utc } from "../../text/when.ts";
import { promptOf, resultsOf, workOf } from "./content.ts";

/** Reads a session of Qwen Code, or what was added to it since `options.from`; see `readJsonLines`. */
export function readChat(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  return readJsonLines(path, options, (state) => new ChatLines(path, state, options));
}

const SHAPE: RecordShape = {
  start: /\{\s*"uuid"\s*:/,
  isRecord: ({ sessionId, type }) => stringOf(sessionId) !== null && stringOf(type) !== null,
};

/** Half of the lines are telemetry. `system` precedes the kind, and both precede the content. */
const NOISE =
  /^\{"uuid":"[^"]*",(?:"[a-zA-Z]+":(?:"[^"]*"|null),)*"type":"system",(?:"[a-zA-Z]+":"[^"]*",)*"subtype":"(ui_telemetry|attribution_snapshot|file_history_snapshot)"/;
const HEAD_CHARS = 1_000;

class ChatLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly recorder: Recorder;
  readonly state = null;
  readonly #sessionId: string;

  constructor(path: string, state: ReaderState, { redact, rootsOf }: ReadOptions) {
    this.#sessionId = basename(path, ".jsonl");
    const source = { sessionId: this.#sessionId, subagent: null };
    this.recorder = new Recorder(state, { redact, rootsOf, source });
  }

  passOver(lines: LineReader): Skipped {
    if (lines.hasGlue()) return null;
    const { bytes, start, end } = lines;
    return NOISE.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)))?.[1] ?? null;
  }

  read(record: JsonObject, place: Place): Skipped {
    switch (record.type) {
      case "user":
        return this.#say(record, promptOf(record), place);
      case "assistant":
        return this.#say(record, workOf(record), place);
      case "tool_result":
        return this.#say(record, resultsOf(record), place);
      case "system":
        return this.#system(record, place);
      default:
        return stringOf(record.type) ?? "no_type";
    }
  }

  #system(record: JsonObject, place: Place): Skipped {
    const payload = objectOf(record.systemPayload);
    if (record.subtype === "custom_title") {
      const title = stringOf(payload?.customTitle);
      const { sessionId } = this.#event(record, { kind: "skipped", reason: "" });
      return this.recorder.record({ kind: "title", sessionId, source: "custom-title", title }, place);
    }
    if (record.subtype !== "chat_compression") return stringOf(record.subtype) ?? "system";
    const preTokens = numberOf(objectOf(payload?.info)?.originalTokenCount);
    const skipped = this.#say(record, { kind: "compaction", trigger: null, preTokens }, place);
    const [first] = listOf(payload?.compressedHistory);
    const [part] = listOf(objectOf(first)?.parts);
    const text = stringOf(objectOf(part)?.text);
    return text === null ? skipped : this.#say(record, { kind: "compaction_summary", text }, place);
  }

  #say(record: JsonObject, message: Message, place: Place): Skipped {
    return this.recorder.record(this.#event(record, message), place);
  }

  #event(record: JsonObject, message: Message): ConversationEvent {
    const timestamp = stringOf(record.timestamp);
    const branch = stringOf(record.gitBranch);
    return {
      kind: "conversation",
      uuid: stringOf(record.uuid),
      sessionId: stringOf(record.sessionId) ?? this.#sessionId,
      agentId: null,
      timestamp: timestamp === null ? null : utc(timestamp),
      cwd: stringOf(record.cwd),
      branch: branch === "HEAD" ? null : branch,
      version: stringOf(record.version),
      model: stringOf(record.model),
      isTyped: false,
      isAutomated: null,
      message,
    };
  }
}

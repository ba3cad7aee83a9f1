import type { ConversationEvent } from "../../ingest/transcript/events.ts";
import { type LineAdapter, readJsonLines } from "../../ingest/transcript/json-lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, numberOf, objectOf, parseObject, stringOf } from "../../io/json.ts";
import { type About, conversation, recordEach, timeOf } from "../conversation.ts";
import { questionsIn, userEvents, workEvents } from "./content.ts";
import { sourceFile } from "./source-file.ts";

/** Reads a session of Droid, or what was added to it since `options.from`; see `readJsonLines`. */
export function readDroid(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  return readJsonLines(path, options, (state) => new SessionLines(path, state, options));
}

const SHAPE: RecordShape = {
  start: /\{\s*"type"\s*:/,
  isRecord: ({ type, message }) => type === "message" && objectOf(message) !== null,
};

class SessionLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly recorder: Recorder;
  readonly #about: About;
  /** Only the first record names the directory. */
  #cwd: string | null;
  /** Questions to the user that have no answer yet, by id of the call. */
  readonly #questions = new Map<string, string>();

  constructor(path: string, state: ReaderState, options: ReadOptions) {
    const { sessionId, agentId } = sourceFile(path);
    this.#about = { sessionId, agentId };
    this.#cwd = stringOf(parseObject(state.agentState ?? "")?.cwd);
    const subagent = agentId === null ? null : { id: agentId, type: null, task: null };
    this.recorder = new Recorder(state, { ...options, source: { sessionId, subagent } });
  }

  get state(): string {
    return JSON.stringify({ cwd: this.#cwd });
  }

  read(record: JsonObject, place: Place): Skipped {
    if (record.type === "session_start") return this.#start(record, place);
    if (record.type === "compaction_state") return this.#compacted(record, place);
    const message = objectOf(record.message);
    if (record.type !== "message" || message === null) return stringOf(record.type) ?? "no_type";
    return recordEach(this.recorder, this.#eventsOf(record, message), place);
  }

  #eventsOf(record: JsonObject, message: JsonObject): ConversationEvent[] {
    const about = {
      ...this.#of(record),
      model: stringOf(message.modelId) ?? stringOf(message.model),
      isAutomated: message.userMessageSource === "automation" ? true : null,
    };
    if (message.role === "user") return userEvents(message, about, this.#questions);
    if (message.role !== "assistant")
      return [conversation({ kind: "skipped", reason: stringOf(message.role) ?? "no_role" }, about)];
    for (const [id, question] of questionsIn(message)) this.#questions.set(id, question);
    return workEvents(message, about, this.#questions);
  }

  /** Before it makes a title, Droid writes the start of the prompt in its place. */
  #start(record: JsonObject, place: Place): Skipped {
    const session = objectOf(record.session) ?? record;
    this.#cwd = stringOf(session.cwd) ?? this.#cwd;
    const { sessionId = null, agentId = null } = this.#about;
    const title = stringOf(session.sessionTitle);
    const isSet = session.isSessionTitleManuallySet === true;
    if (title === null || agentId !== null || (!isSet && title === session.title)) return "session_start";
    const source = isSet ? "custom-title" : "ai-title";
    return this.recorder.record({ kind: "title", sessionId, source, title }, place);
  }

  #compacted(record: JsonObject, place: Place): Skipped {
    const about = this.#of(record);
    const preTokens = numberOf(record.preTokens);
    const mark = conversation({ kind: "compaction", trigger: null, preTokens }, { ...about, uuid: null });
    const text = stringOf(record.summaryText) ?? stringOf(objectOf(record.summary)?.body);
    const summary = text === null ? [] : [conversation({ kind: "compaction_summary", text }, about)];
    return recordEach(this.recorder, [mark, ...summary], place);
  }

  #of({ id, timestamp }: JsonObject): About {
    return { ...this.#about, cwd: this.#cwd, uuid: stringOf(id), timestamp: timeOf(timestamp) };
  }
}

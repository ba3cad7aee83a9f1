import type { ConversationEvent } from "../../ingest/transcript/events.ts";
import type { LineAdapter, Read } from "../../ingest/transcript/json-lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { Source } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import { type JsonObject, numberOf, objectOf, parseObject, stringOf } from "../../io/json.ts";
import { type About, conversation, sourceOf, timeOf, titled } from "../conversation.ts";
import { questionsIn, userEvents, workEvents } from "./content.ts";
import { sourceFile } from "./source-file.ts";

const SHAPE: RecordShape = {
  start: /\{\s*"type"\s*:/,
  isRecord: ({ type, message }) => type === "message" && objectOf(message) !== null,
};

/** Interprets the lines of a session of Droid. */
export class SessionLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly source: Source;
  readonly #about: About;
  /** Only the first record names the directory. */
  #cwd: string | null;
  /** Questions to the user that have no answer yet, by id of the call. */
  readonly #questions = new Map<string, string>();

  constructor(path: string, state: ReaderState) {
    const { sessionId, agentId } = sourceFile(path);
    this.#about = { sessionId, agentId };
    this.#cwd = stringOf(parseObject(state.agentState ?? "")?.cwd);
    this.source = sourceOf({ sessionId, agentId });
  }

  get state(): string {
    return JSON.stringify({ cwd: this.#cwd });
  }

  read(record: JsonObject): Read {
    if (record.type === "session_start") return this.#start(record);
    if (record.type === "compaction_state") return this.#compacted(record);
    const message = objectOf(record.message);
    if (record.type !== "message" || message === null) return stringOf(record.type) ?? "no_type";
    return this.#eventsOf(record, message);
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
  #start(record: JsonObject): Read {
    const session = objectOf(record.session) ?? record;
    this.#cwd = stringOf(session.cwd) ?? this.#cwd;
    const { sessionId = null, agentId = null } = this.#about;
    const title = stringOf(session.sessionTitle);
    const isSet = session.isSessionTitleManuallySet === true;
    if (title === null || agentId !== null || (!isSet && title === session.title)) return "session_start";
    return titled(sessionId, title, isSet ? "custom-title" : "ai-title");
  }

  #compacted(record: JsonObject): Read {
    const about = this.#of(record);
    const preTokens = numberOf(record.preTokens);
    const mark = conversation({ kind: "compaction", trigger: null, preTokens }, { ...about, uuid: null });
    const text = stringOf(record.summaryText) ?? stringOf(objectOf(record.summary)?.body);
    const summary = text === null ? [] : [conversation({ kind: "compaction_summary", text }, about)];
    return [mark, ...summary];
  }

  #of({ id, timestamp }: JsonObject): About {
    return { ...this.#about, cwd: this.#cwd, uuid: stringOf(id), timestamp: timeOf(timestamp) };
  }
}

import type { ConversationEvent } from "../../ingest/transcript/events.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import { type RecordAdapter, readRecords } from "../../ingest/transcript/records.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { branchAt } from "../../io/git/branch-at.ts";
import { type JsonObject, numberOf, objectOf, stringOf } from "../../io/json.ts";
import { type About, conversation, recordEach, timeOf } from "../conversation.ts";
import { ASSISTANT, bubbleEvents, timeOfBubble, USER } from "./bubbles.ts";
import { type Conversation, conversationAt } from "./editor.ts";
import { inOrder } from "./left.ts";

/** Reads a conversation of Cursor's editor. */
export function* readEditor(
  path: string,
  database: string,
  id: string,
  options: ReadOptions,
): Iterable<TranscriptStep> {
  const given = conversationAt(path, database, id);
  yield readRecords(recordsOf(given), options, (state) => new Bubbles(id, given, state, options));
}

/** Returns one record for the conversation, one for each message, and one where a person went back. */
function* recordsOf(given: Conversation): Iterable<JsonObject> {
  yield { kind: "conversation" };
  for (const each of inOrder(given)) yield each;
}

/** Returns the mark and the summary that take the place of a message and all before it. */
function summaryEvents({ text }: JsonObject, about: About): ConversationEvent[] {
  return [
    conversation({ kind: "compaction", trigger: null, preTokens: null }, { ...about, uuid: null }),
    conversation(
      { kind: "compaction_summary", text: String(text) },
      { ...about, uuid: `${about.uuid}-summary` },
    ),
  ];
}

class Bubbles implements RecordAdapter {
  readonly recorder: Recorder;
  readonly #given: Conversation;
  readonly #about: About;
  readonly #branchAt: (time: string | null) => string | null;
  /** When the previous message was written: some say nothing. */
  #time: string | null;

  constructor(id: string, given: Conversation, state: ReaderState, options: ReadOptions) {
    const { cwd, parentId, data } = given;
    const agentId = parentId === null ? null : id;
    const sessionId = parentId ?? id;
    this.#given = given;
    this.#about = { sessionId, agentId, cwd };
    this.#branchAt = cwd === null ? () => null : branchAt(cwd);
    this.#time = timeOf(numberOf(data.createdAt) ?? undefined);
    const type = stringOf(objectOf(data.subagentInfo)?.subagentTypeName);
    const subagent = agentId === null ? null : { id: agentId, type, task: stringOf(data.name) };
    this.recorder = new Recorder(state, { ...options, source: { sessionId, subagent } });
  }

  read(record: JsonObject, place: Place): Skipped {
    const { sessionId = null, agentId = null } = this.#about;
    if (record.kind === "conversation") return this.#title(place);
    if (record.kind === "rewind")
      return this.recorder.record({ kind: "rewind", sessionId, uuid: String(record.uuid) }, place);
    const bubble = objectOf(record.bubble) ?? {};
    if (bubble.type !== USER && bubble.type !== ASSISTANT) return String(stringOf(bubble.type) ?? "no_type");
    this.#time = timeOfBubble(bubble) ?? this.#time;
    const about = {
      ...this.#about,
      agentId,
      uuid: stringOf(bubble.bubbleId),
      timestamp: this.#time,
      branch: this.#branchAt(this.#time),
      model: bubble.type === USER ? null : this.#model(bubble),
    };
    const events = record.kind === "compaction" ? summaryEvents(record, about) : bubbleEvents(bubble, about);
    return recordEach(this.recorder, events, place);
  }

  #title(place: Place): Skipped {
    const title = stringOf(this.#given.data.name);
    const { sessionId = null, agentId = null } = this.#about;
    if (title === null || agentId !== null) return "conversation";
    return this.recorder.record({ kind: "title", sessionId, source: "ai-title", title }, place);
  }

  #model({ modelInfo, modelType }: JsonObject): string | null {
    const chosen = objectOf(this.#given.data.modelConfig)?.modelName;
    return stringOf(objectOf(modelInfo)?.modelName) ?? stringOf(modelType) ?? stringOf(chosen);
  }
}

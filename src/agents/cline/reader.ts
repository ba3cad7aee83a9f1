import { type RecordAdapter, readRecords } from "../../ingest/transcript/json-lines.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, numberOf, objectOf, objectsOf, stringOf } from "../../io/json.ts";
import { type About, recordEach, timeOf } from "../conversation.ts";
import { wholeObject } from "../files.ts";
import { questionsIn, READ_BLOCKS, userEvents, workEvents } from "./events.ts";
import { manifestOf, sourceFile } from "./source-file.ts";

/** Reads a session of Cline, or one of its subagents. */
export async function* readCline(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  const whole = wholeObject(path);
  yield readRecords(recordsOf(whole), options, (state) => new Messages(path, whole, state, options));
}

/** Returns one record for the session, one for each message, and one for each block without content to read. */
function* recordsOf({ messages }: JsonObject): Iterable<JsonObject> {
  yield { role: "session" };
  for (const message of objectsOf(messages)) {
    yield message;
    for (const { type } of objectsOf(message.content))
      if (!READ_BLOCKS.has(type)) yield { role: stringOf(type) ?? "no_type" };
  }
}

class Messages implements RecordAdapter {
  readonly recorder: Recorder;
  readonly #about: About;
  readonly #manifest: JsonObject;
  /** Questions to the user, by id of the call. */
  readonly #questions = new Map<string, string>();

  constructor(path: string, { origin, agent }: JsonObject, state: ReaderState, options: ReadOptions) {
    const { sessionId, agentId } = sourceFile(path);
    this.#manifest = manifestOf(path);
    const { cwd, metadata } = this.#manifest;
    this.#about = {
      sessionId,
      agentId,
      cwd: stringOf(cwd),
      branch: stringOf(objectOf(objectOf(metadata)?.git)?.branch),
      version: stringOf(objectOf(origin)?.version),
    };
    const subagent = agentId === null ? null : { id: agentId, type: kindOf(agent), task: null };
    this.recorder = new Recorder(state, { ...options, source: { sessionId, subagent } });
  }

  read(message: JsonObject, place: Place): Skipped {
    const { role } = message;
    if (role === "session") return this.#title(place);
    const model = stringOf(objectOf(message.modelInfo)?.id);
    const about = { ...this.#about, uuid: identityOf(message), timestamp: timeOf(message.ts), model };
    if (role === "user") return recordEach(this.recorder, userEvents(message, about, this.#questions), place);
    if (role !== "assistant") return stringOf(role) ?? "no_type";
    for (const [id, question] of questionsIn(message)) this.#questions.set(id, question);
    return recordEach(this.recorder, workEvents(message, about), place);
  }

  /** Records the title if somebody set one. By default, it is the prompt. */
  #title(place: Place): Skipped {
    const title = stringOf(objectOf(this.#manifest.metadata)?.title);
    if (title === null || title === this.#manifest.prompt || this.#about.agentId !== null) return "session";
    const sessionId = this.#about.sessionId ?? null;
    return this.recorder.record({ kind: "title", sessionId, source: "ai-title", title }, place);
  }
}

function kindOf(agent: unknown): string | null {
  return agent === "subagent" ? null : stringOf(agent);
}

/**
 * A message's id is short; together with its time it is unique. A restored session keeps both for the messages that
 * it continues.
 */
function identityOf({ id, ts }: JsonObject): string | null {
  const given = stringOf(id);
  return given === null ? null : `cline-${given}-${numberOf(ts) ?? 0}`;
}

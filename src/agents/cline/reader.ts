import type { Read, RecordAdapter } from "../../ingest/transcript/json-lines.ts";
import type { Source } from "../../ingest/transcript/recorder.ts";
import { type JsonObject, numberOf, objectOf, objectsOf, stringOf } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { type About, sourceOf, timeOf, titled } from "../conversation.ts";
import { questionsIn, READ_BLOCKS, userEvents, workEvents } from "./events.ts";

/** Returns one record for the session, one for each message, and one for each block without content to read. */
export function* recordsOf({ messages }: JsonObject): Iterable<JsonObject> {
  yield { role: "session" };
  for (const message of objectsOf(messages)) {
    yield message;
    for (const { type } of objectsOf(message.content))
      if (!READ_BLOCKS.has(type)) yield { role: stringOf(type) ?? "no_type" };
  }
}

/** Interprets the records of a session of Cline, or of one of its subagents. */
export class Messages implements RecordAdapter {
  readonly source: Source;
  readonly #about: About;
  readonly #manifest: JsonObject;
  /** Questions to the user, by id of the call. */
  readonly #questions = new Map<string, string>();

  constructor(file: SourceFile, manifest: JsonObject, { origin, agent }: JsonObject) {
    const { sessionId, agentId } = file;
    this.#manifest = manifest;
    const { cwd, metadata } = this.#manifest;
    this.#about = {
      sessionId,
      agentId,
      cwd: stringOf(cwd),
      branch: stringOf(objectOf(objectOf(metadata)?.git)?.branch),
      version: stringOf(objectOf(origin)?.version),
    };
    const type = agent === "subagent" ? null : stringOf(agent);
    this.source = sourceOf(file, { type, task: null });
  }

  read(message: JsonObject): Read {
    const { role } = message;
    if (role === "session") return this.#title();
    const model = stringOf(objectOf(message.modelInfo)?.id);
    const about = { ...this.#about, uuid: identityOf(message), timestamp: timeOf(message.ts), model };
    if (role === "user") return userEvents(message, about, this.#questions);
    if (role !== "assistant") return stringOf(role) ?? "no_type";
    for (const [id, question] of questionsIn(message)) this.#questions.set(id, question);
    return workEvents(message, about);
  }

  /** Records the title if somebody set one. By default, it is the prompt. */
  #title(): Read {
    const title = stringOf(objectOf(this.#manifest.metadata)?.title);
    if (title === null || title === this.#manifest.prompt || this.#about.agentId !== null) return "session";
    return titled(this.source.sessionId, title);
  }
}

/**
 * A message's id is short; together with its time it is unique. A restored session keeps both for the messages that
 * it continues.
 */
function identityOf({ id, ts }: JsonObject): string | null {
  const given = stringOf(id);
  return given === null ? null : `cline-${given}-${numberOf(ts) ?? 0}`;
}

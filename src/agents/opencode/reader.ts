import { MementorError } from "../../errors.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import { type RecordAdapter, readRecords } from "../../ingest/transcript/records.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { branchAt } from "../../io/git/branch-at.ts";
import { type JsonObject, numberOf, objectOf, stringOf } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { type About, recordEach } from "../conversation.ts";
import { aboutOf, promptEvents, READ_PARTS, said, workEvents } from "./events.ts";
import { type Message, type Session, sessionAt, sessionIn, whyUnreadable } from "./rows.ts";
import { isDatabase, placeOf, sourceFile } from "./source-file.ts";

/**
 * Reads a session of opencode, from its database or from an older version's files.
 *
 * @throws `not_found` when no session is at the path.
 */
export async function* readOpencode(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  const session = sessionOf(path);
  if (session === null) throw new MementorError("not_found", `cannot read ${path}: it is not there any more`);
  const source = sourceFile(path);
  yield readRecords(recordsOf(session), options, (state) => new Messages(session, source, state, options));
}

function sessionOf(path: string): Session | null {
  const place = placeOf(path);
  if (place === null && isDatabase(path)) throw unreadable(path, whyUnreadable(path));
  if (place === null) return null;
  if (place.kind === "file") return sessionAt(path, place.storage);
  try {
    return sessionIn(place.database, place.sessionId);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): MementorError {
  return new MementorError("io", `cannot read ${path}: opencode's database cannot be read`, { cause });
}

/**
 * Returns one record for the session, one for each message, one for each part without content to read, and one for an
 * undo.
 */
function* recordsOf({ info, messages }: Session): Iterable<JsonObject> {
  yield { kind: "session" };
  for (const [index, { parts }] of messages.entries()) {
    yield { kind: "message", index };
    for (const { type } of parts) if (!READ_PARTS.has(type)) yield { kind: "part", type };
  }
  if (info.revertedFrom !== null) yield { kind: "revert" };
}

class Messages implements RecordAdapter {
  readonly recorder: Recorder;
  readonly #session: Session;
  readonly #about: About;
  readonly #branchAt: (time: string | null) => string | null;
  /** Identities of messages, by id. */
  readonly #identities = new Map<string | null, string>();

  constructor(
    session: Session,
    { sessionId, agentId }: SourceFile,
    state: ReaderState,
    options: ReadOptions,
  ) {
    const { id, directory, version, agent, title } = session.info;
    this.#session = session;
    this.#about = { sessionId, agentId, cwd: directory, version };
    this.#branchAt = directory === null ? () => null : branchAt(directory);
    const task = title?.replace(/ \(@[\w-]+ subagent\)$/, "") ?? null;
    const subagent = agentId === null ? null : { id, type: agent, task };
    this.recorder = new Recorder(state, { ...options, source: { sessionId, subagent } });
  }

  read({ kind, index, type }: JsonObject, place: Place): Skipped {
    if (kind === "session") return this.#title(place);
    if (kind === "revert") return this.#revert(place);
    if (kind === "part") return stringOf(type) ?? "no_type";
    const message = this.#session.messages[numberOf(index) ?? -1];
    if (message === undefined) return "no_message";
    const { role } = message.data;
    if (role === "user") return recordEach(this.recorder, promptEvents(message, this.#of(message)), place);
    if (role === "assistant") return recordEach(this.recorder, workEvents(message, this.#of(message)), place);
    return stringOf(role) ?? "no_type";
  }

  /** Records the title that the client made. Before that, the title only tells when the session began. */
  #title(place: Place): Skipped {
    const { title } = this.#session.info;
    if (title === null || this.#about.agentId !== null || /^(?:New|Child) session - \d/.test(title))
      return "session";
    const sessionId = this.#about.sessionId ?? null;
    return this.recorder.record({ kind: "title", sessionId, source: "ai-title", title }, place) ?? null;
  }

  /** What the user has undone stays in the database until the next prompt. */
  #revert(place: Place): Skipped {
    const uuid = this.#identities.get(this.#session.info.revertedFrom);
    const { sessionId = null, agentId = null } = this.#about;
    if (uuid === undefined || agentId !== null) return "revert";
    return this.recorder.record({ kind: "rewind", sessionId, uuid }, place);
  }

  #of(message: Message): About {
    const { timestamp = null, ...about } = aboutOf(message);
    const branch = this.#branchAt(timestamp);
    return { ...this.#about, ...about, timestamp, branch, uuid: this.#identity(message) };
  }

  /**
   * Returns an identity that a message shares with its copies. A fork copies messages under new ids with the same
   * times and texts. So a prompt is identified by its time and text, and the model's work by its prompt and time.
   */
  #identity(message: Message): string {
    const { id, role, time, parentID } = message.data;
    const created = numberOf(objectOf(time)?.created);
    const words = said(message);
    const prompt = stringOf(parentID);
    const asked =
      prompt === null ? ("text" in words ? words.text : "") : (this.#identities.get(prompt) ?? prompt);
    const key = created === null ? [this.#about.sessionId, id] : [role, created, asked];
    const identity = `opencode-${Bun.hash(JSON.stringify(key)).toString(36)}`;
    this.#identities.set(stringOf(id), identity);
    return identity;
  }
}

import { MementorError } from "../../errors.ts";
import {
  type LineAdapter,
  type LineResult,
  type RecordAdapter,
  readJsonLines,
  readRecords,
} from "../../ingest/transcript/json-lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { RecordSource } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { branchReader } from "../../io/git/project.ts";
import { asNumber, asObject, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { type About, agentSource, timeOf, titled } from "../conversation.ts";
import { type Place as CursorPlace, isEditorDatabase, parsePlace, readConversation } from "./editor.ts";
import { readEditor } from "./editor-reader.ts";
import { findTime, messageEvents, messageText } from "./messages.ts";
import { readSession, readSidecar, type StoredSession } from "./store.ts";

/**
 * Reads a conversation of Cursor: from a database of the editor or of the command line, or from a transcript.
 *
 * @throws `not_found` when no conversation is at the path.
 */
export async function* readCursor(
  path: string,
  directoryOf: (transcript: string) => string | null,
  options: ReadOptions,
): AsyncIterable<TranscriptStep> {
  const place = parsePlace(path);
  if (place?.kind === "editor") yield readEditor(path, place.database, place.id, options);
  else if (place?.kind === "store") yield readStore(path, place.sessionId, options);
  else if (place !== null)
    yield* readJsonLines(path, options, (state) => new Lines(place, directoryOf(path), state));
  else if (isEditorDatabase(path)) readConversation(path, path, "");
  else throw new MementorError("not_found", `cannot read ${path}: it is not a conversation of Cursor`);
}

const SHAPE: RecordShape = {
  start: /\{\s*"(?:role|type)"\s*:/,
  isRecord: ({ role, message }) => asString(role) !== null && asObject(message) !== null,
};

class Lines implements LineAdapter {
  readonly shape = SHAPE;
  readonly source: RecordSource;
  readonly #about: About;
  readonly #id: string;
  readonly #branchAt: (time: string | null) => string | null;
  #time: string | null;

  constructor(
    { sessionId, agentId }: CursorPlace & { kind: "transcript" },
    cwd: string | null,
    state: ReaderState,
  ) {
    this.#id = agentId ?? sessionId;
    this.#about = { sessionId, agentId, cwd };
    this.#branchAt = branchReader(cwd);
    this.#time = asString(parseObject(state.agentState ?? "")?.time);
    this.source = agentSource({ sessionId, agentId });
  }

  get state(): string {
    return JSON.stringify({ time: this.#time });
  }

  read(record: JsonObject, place: Place): LineResult {
    const role = asString(record.role);
    const content = asObject(record.message)?.content;
    if (role === null) return asString(record.type) ?? "no_type";
    if (role === "user") this.#time = findTime(messageText(content)) ?? this.#time;
    const about = {
      ...this.#about,
      uuid: `${this.#id}:line-${place.line}`,
      timestamp: this.#time,
      branch: this.#branchAt(this.#time),
    };
    const events = messageEvents(role, content, about);
    return events.length === 0 ? role : events;
  }
}

/** Reads a session of Cursor's command line from its database. */
function readStore(path: string, sessionId: string, options: ReadOptions): TranscriptStep {
  const session = readSession(path);
  const title = readSidecar(path).title ?? session.title;
  return readRecords(recordsOf(session), options, new Messages({ sessionId, title }, session));
}

function* recordsOf({ messages }: StoredSession): Iterable<JsonObject> {
  yield { kind: "session" };
  for (const index of messages.keys()) yield { index };
}

class Messages implements RecordAdapter {
  readonly source: RecordSource;
  readonly #session: StoredSession;
  readonly #about: About;
  readonly #title: string | null;
  readonly #branchAt: (time: string | null) => string | null;
  /** Number of occurrences of each content, because equal messages have one name. */
  readonly #seen = new Map<string, number>();
  #time: string | null;

  constructor({ sessionId, title }: { sessionId: string; title: string | null }, session: StoredSession) {
    this.#session = session;
    this.#about = { sessionId, agentId: null, cwd: session.cwd };
    this.#title = title;
    this.#branchAt = branchReader(session.cwd);
    this.#time = timeOf(session.createdMs ?? undefined);
    this.source = { sessionId, subagent: null };
  }

  read({ kind, index }: JsonObject): LineResult {
    const { sessionId = null } = this.#about;
    if (kind === "session") {
      if (this.#title === null || /^New (?:Agent|Chat)$/i.test(this.#title)) return "session";
      return titled(sessionId, this.#title);
    }
    const stored = this.#session.messages[asNumber(index) ?? -1];
    if (stored === undefined) return "no_message";
    const { role, content } = stored.message;
    if (role === "user") this.#time = findTime(messageText(content)) ?? this.#time;
    const about = {
      ...this.#about,
      uuid: `${sessionId}:${this.#identity(stored.blobId)}`,
      timestamp: this.#time,
      branch: this.#branchAt(this.#time),
      model: role === "assistant" ? this.#session.model : null,
    };
    const events = messageEvents(role, content, about);
    return events.length === 0 ? (asString(role) ?? "no_type") : events;
  }

  #identity(blobId: string): string {
    const times = this.#seen.get(blobId) ?? 0;
    this.#seen.set(blobId, times + 1);
    return `${blobId}#${times}`;
  }
}

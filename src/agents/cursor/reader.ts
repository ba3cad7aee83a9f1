import { MementorError } from "../../errors.ts";
import {
  type LineAdapter,
  type RecordAdapter,
  readJsonLines,
  readRecords,
} from "../../ingest/transcript/json-lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { branchAt } from "../../io/git/branch-at.ts";
import { type JsonObject, numberOf, objectOf, parseObject, stringOf } from "../../io/json.ts";
import { type About, recordEach, timeOf } from "../conversation.ts";
import { type Place as CursorPlace, conversationAt, isEditorDatabase, placeOf } from "./editor.ts";
import { readEditor } from "./editor-reader.ts";
import { messageEvents, timeIn, wordsOf } from "./messages.ts";
import { directoryOf } from "./project-sessions.ts";
import { type StoredSession, sessionIn, sidecarOf } from "./store.ts";

/**
 * Reads a conversation of Cursor: from a database of the editor or of the command line, or from a transcript.
 *
 * @throws `not_found` when no conversation is at the path.
 */
export async function* readCursor(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  const place = placeOf(path);
  if (place?.kind === "editor") yield* readEditor(path, place.database, place.id, options);
  else if (place?.kind === "store") yield* readStore(path, place.sessionId, options);
  else if (place !== null) yield* readTranscript(path, place, options);
  else if (isEditorDatabase(path)) conversationAt(path, path, "");
  else throw new MementorError("not_found", `cannot read ${path}: it is no conversation of Cursor`);
}

/** Reads a transcript of Cursor, or what was added to it since `options.from`; see `readJsonLines`. */
function readTranscript(
  path: string,
  place: CursorPlace & { kind: "transcript" },
  options: ReadOptions,
): AsyncIterable<TranscriptStep> {
  return readJsonLines(path, options, (state) => new Lines(path, place, state, options));
}

const SHAPE: RecordShape = {
  start: /\{\s*"(?:role|type)"\s*:/,
  isRecord: ({ role, message }) => stringOf(role) !== null && objectOf(message) !== null,
};

class Lines implements LineAdapter {
  readonly shape = SHAPE;
  readonly recorder: Recorder;
  readonly #about: About;
  readonly #id: string;
  readonly #branchAt: (time: string | null) => string | null;
  #time: string | null;

  constructor(
    path: string,
    { sessionId, agentId }: CursorPlace & { kind: "transcript" },
    state: ReaderState,
    options: ReadOptions,
  ) {
    const cwd = directoryOf(path);
    this.#id = agentId ?? sessionId;
    this.#about = { sessionId, agentId, cwd };
    this.#branchAt = cwd === null ? () => null : branchAt(cwd);
    this.#time = stringOf(parseObject(state.agentState ?? "")?.time);
    const subagent = agentId === null ? null : { id: agentId, type: null, task: null };
    this.recorder = new Recorder(state, { ...options, source: { sessionId, subagent } });
  }

  get state(): string {
    return JSON.stringify({ time: this.#time });
  }

  read(record: JsonObject, place: Place): Skipped {
    const role = stringOf(record.role);
    const content = objectOf(record.message)?.content;
    if (role === null) return stringOf(record.type) ?? "no_type";
    if (role === "user") this.#time = timeIn(wordsOf(content)) ?? this.#time;
    const about = {
      ...this.#about,
      uuid: `${this.#id}:line-${place.line}`,
      timestamp: this.#time,
      branch: this.#branchAt(this.#time),
    };
    const events = messageEvents(role, content, about);
    return events.length === 0 ? role : recordEach(this.recorder, events, place);
  }
}

/** Reads a session of Cursor's command line from its database. */
function* readStore(path: string, sessionId: string, options: ReadOptions): Iterable<TranscriptStep> {
  const session = sessionIn(path);
  yield readRecords(
    recordsOf(session),
    options,
    (state) =>
      new Messages({ sessionId, title: sidecarOf(path).title ?? session.title }, session, state, options),
  );
}

function* recordsOf({ messages }: StoredSession): Iterable<JsonObject> {
  yield { kind: "session" };
  for (const index of messages.keys()) yield { index };
}

class Messages implements RecordAdapter {
  readonly recorder: Recorder;
  readonly #session: StoredSession;
  readonly #about: About;
  readonly #title: string | null;
  readonly #branchAt: (time: string | null) => string | null;
  /** How often each content occurred: equal messages have one name. */
  readonly #seen = new Map<string, number>();
  #time: string | null;

  constructor(
    { sessionId, title }: { sessionId: string; title: string | null },
    session: StoredSession,
    state: ReaderState,
    options: ReadOptions,
  ) {
    this.#session = session;
    this.#about = { sessionId, agentId: null, cwd: session.cwd };
    this.#title = title;
    this.#branchAt = session.cwd === null ? () => null : branchAt(session.cwd);
    this.#time = timeOf(session.createdMs ?? undefined);
    this.recorder = new Recorder(state, { ...options, source: { sessionId, subagent: null } });
  }

  read({ kind, index }: JsonObject, place: Place): Skipped {
    const { sessionId = null } = this.#about;
    if (kind === "session") {
      if (this.#title === null || /^New (?:Agent|Chat)$/i.test(this.#title)) return "session";
      return this.recorder.record(
        { kind: "title", sessionId, source: "ai-title", title: this.#title },
        place,
      );
    }
    const stored = this.#session.messages[numberOf(index) ?? -1];
    if (stored === undefined) return "no_message";
    const { role, content } = stored.message;
    if (role === "user") this.#time = timeIn(wordsOf(content)) ?? this.#time;
    const about = {
      ...this.#about,
      uuid: `${sessionId}:${this.#identity(stored.blobId)}`,
      timestamp: this.#time,
      branch: this.#branchAt(this.#time),
      model: role === "assistant" ? this.#session.model : null,
    };
    const events = messageEvents(role, content, about);
    return events.length === 0 ? (stringOf(role) ?? "no_type") : recordEach(this.recorder, events, place);
  }

  #identity(blobId: string): string {
    const times = this.#seen.get(blobId) ?? 0;
    this.#seen.set(blobId, times + 1);
    return `${blobId}#${times}`;
  }
}

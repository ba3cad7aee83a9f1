import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import { type RecordAdapter, readRecords } from "../../ingest/transcript/records.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { branchAt } from "../../io/git/branch-at.ts";
import { type JsonObject, numberOf, stringOf } from "../../io/json.ts";
import { type About, recordEach, timeOf } from "../conversation.ts";
import { messageEvents, timeIn, wordsOf } from "./messages.ts";
import { type StoredSession, sessionIn, sidecarOf } from "./store.ts";

/** Reads a session of Cursor's command line from its database. */
export function* readStore(path: string, sessionId: string, options: ReadOptions): Iterable<TranscriptStep> {
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

import { READ } from "../../constants.ts";
import {
  type LineAdapter,
  type RecordAdapter,
  readJsonLines,
  readRecords,
} from "../../ingest/transcript/json-lines.ts";
import { standsAt } from "../../ingest/transcript/json-scan.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import { Recorder, type Skipped } from "../../ingest/transcript/recorder.ts";
import type { ReaderState } from "../../ingest/transcript/state.ts";
import type { Place } from "../../ingest/transcript/thread.ts";
import type { ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { branchAt } from "../../io/git/branch-at.ts";
import { type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../../io/json.ts";
import { recordEach, timeOf } from "../conversation.ts";
import { wholeObject } from "../files.ts";
import { compactionEvents, isSubagentCall, messageEvents, type Session, snapshotIn } from "./events.ts";
import { textsOf } from "./said.ts";
import { cwdOf, isWholeFile, sourceFile } from "./source-file.ts";

/** Reads a session of Gemini CLI: JSON lines, or what was added to them, or the whole object of an older version. */
export async function* readGemini(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  if (!isWholeFile(path)) {
    yield* readJsonLines(path, options, (state) => new GeminiRecords(path, state, options));
    return;
  }
  const records = recordsOf(wholeObject(path));
  yield readRecords(records, options, (state) => new GeminiRecords(path, state, options));
}

/** Converts an older version's session to the records of a newer version. */
function recordsOf({ messages, ...head }: JsonObject): JsonObject[] {
  const records = listOf(messages).map((message) => objectOf(message) ?? { type: "non_object" });
  return [head, ...withoutTasks(records)];
}

const SET = Buffer.from('{"$set":{');
const SNAPSHOT = Buffer.from("<state_snapshot>");
const SUMMARY = Buffer.from('"summary":');

class GeminiRecords implements LineAdapter, RecordAdapter {
  readonly shape: RecordShape = {
    start: /\{\s*"(?:sessionId|id|\$set|\$rewindTo)"\s*:/,
    isRecord: ({ id, type, sessionId }) =>
      stringOf(sessionId) !== null || (stringOf(id) !== null && stringOf(type) !== null),
  };
  readonly recorder: Recorder;
  readonly #agentId: string | null;
  readonly #cwd: string | null;
  readonly #branchAt: (time: string | null) => string | null;
  /** The session in the file's head, and a hash of the latest summary of a compaction. */
  #sessionId: string | null;
  #snapshot: string;

  constructor(path: string, { agentState, ...state }: ReaderState, { redact, rootsOf }: ReadOptions) {
    const { sessionId, agentId } = sourceFile(path);
    const [known = "", snapshot = ""] = agentState?.split(" ") ?? [];
    this.#agentId = agentId;
    this.#cwd = cwdOf(path);
    this.#branchAt = this.#cwd === null ? () => null : branchAt(this.#cwd);
    this.#sessionId = sessionId ?? stringOf(known);
    this.#snapshot = snapshot;
    const subagent = agentId === null ? null : { id: agentId, type: null, task: null };
    this.recorder = new Recorder(
      { ...state, agentState },
      { redact, rootsOf, source: { sessionId, subagent } },
    );
  }

  get state(): string | null {
    return `${this.#sessionId ?? ""} ${this.#snapshot}`;
  }

  /** Most lines only set a time or repeat the whole history. */
  passOver({ bytes, start, end }: LineReader): Skipped {
    if (!standsAt(bytes, start, SET)) return null;
    const line = bytes.subarray(start, Math.min(end, start + READ.maxLineBytes));
    return line.includes(SNAPSHOT) || line.includes(SUMMARY) ? null : "set";
  }

  read(record: JsonObject, place: Place): Skipped {
    const { sessionId, type, $set: set } = record;
    if (set !== undefined) return this.#set(objectOf(set) ?? {}, place);
    const rewindTo = stringOf(record.$rewindTo);
    if (rewindTo !== null && this.#agentId === null)
      return this.recorder.record({ kind: "rewind", sessionId: this.#sessionId, uuid: rewindTo }, place);
    if (record.$rewindTo !== undefined) return "rewind";
    if (type === undefined && stringOf(sessionId) !== null) {
      if (this.#agentId === null) this.#sessionId = stringOf(sessionId);
      return this.#title(record.summary, place, "session");
    }
    const unknown = Object.keys(record).find((key) => key.startsWith("$"));
    if (unknown !== undefined) return unknown.slice(1);
    return recordEach(this.recorder, messageEvents(record, this.#aboutAt(record.timestamp)), place);
  }

  #aboutAt(given: unknown): Session {
    const timestamp = timeOf(given);
    const branch = this.#branchAt(timestamp);
    return { sessionId: this.#sessionId, agentId: this.#agentId, cwd: this.#cwd, timestamp, branch };
  }

  #set({ messages, summary, lastUpdated }: JsonObject, place: Place): Skipped {
    const snapshot = snapshotIn(messages);
    if (snapshot === null) return this.#title(summary, place, "set");
    const hash = Bun.hash(`${this.#sessionId ?? ""}\0${snapshot}`).toString(36);
    // A resumed session repeats it.
    if (hash === this.#snapshot || this.#agentId !== null) return "set";
    this.#snapshot = hash;
    const about = this.#aboutAt(lastUpdated);
    return recordEach(this.recorder, compactionEvents(snapshot, `gemini-${hash}`, about), place);
  }

  /** Records the title that the client made for a session. Without one, counts the record as `kind`. */
  #title(summary: unknown, place: Place, kind: string): Skipped {
    const title = stringOf(summary);
    if (title === null || this.#agentId !== null) return kind;
    return this.recorder.record(
      { kind: "title", sessionId: this.#sessionId, source: "ai-title", title },
      place,
    );
  }
}

/** Shorter tasks could be part of anything. */
const MIN_TASK_CHARS = 12;

/**
 * Renames the prompts of subagents, which older versions wrote into the main conversation as the user's: right after a
 * prompt, with the task in it that a later call gives to a subagent. One that nothing follows yet is left for later.
 */
function withoutTasks(records: readonly JsonObject[]): JsonObject[] {
  return records.map((record, index) => {
    if (!isUser(record) || !isUser(records[index - 1])) return record;
    const next = records.slice(index).find(({ type }) => type === "gemini");
    if (next === undefined) return { ...record, type: "undecided" };
    return tasksOf(next).some((task) => says(record, task)) ? { ...record, type: "subagent_prompt" } : record;
  });
}

function isUser(record: JsonObject | undefined): boolean {
  return record?.type === "user";
}

function says(record: JsonObject, task: string): boolean {
  return textsOf(record.content).join("\n").includes(task);
}

/** What a message of the model gave to subagents. */
function tasksOf(message: JsonObject): string[] {
  return objectsOf(message.toolCalls)
    .filter(isSubagentCall)
    .flatMap(({ args }) => Object.values(objectOf(args) ?? {}))
    .filter((value) => typeof value === "string")
    .filter((value) => value.length >= MIN_TASK_CHARS);
}

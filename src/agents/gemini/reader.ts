import { READ } from "../../constants.ts";
import type { LineAdapter, ReadResult, RecordAdapter } from "../../ingest/transcript/json-lines.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import { standsAt } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { Skipped, Source } from "../../ingest/transcript/recorder.ts";
import { branchAt } from "../../io/git/project.ts";
import { type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { compaction, sourceOf, timeOf, titled } from "../conversation.ts";
import { isSubagentCall, messageEvents, type Session, snapshotIn } from "./events.ts";
import { textsOf } from "./said.ts";

/** Converts an older version's session to the records of a newer version. */
export function recordsOf({ messages, ...head }: JsonObject): JsonObject[] {
  const records = listOf(messages).map((message) => objectOf(message) ?? { type: "non_object" });
  return [head, ...withoutTasks(records)];
}

const SET = Buffer.from('{"$set":{');
const SNAPSHOT = Buffer.from("<state_snapshot>");
const SUMMARY = Buffer.from('"summary":');

/** Interprets the records of a session of Gemini CLI. */
export class GeminiRecords implements LineAdapter, RecordAdapter {
  readonly shape: RecordShape = {
    start: /\{\s*"(?:sessionId|id|\$set|\$rewindTo)"\s*:/,
    isRecord: ({ id, type, sessionId }) =>
      stringOf(sessionId) !== null || (stringOf(id) !== null && stringOf(type) !== null),
  };
  readonly source: Source;
  readonly #agentId: string | null;
  readonly #cwd: string | null;
  readonly #branchAt: (time: string | null) => string | null;
  /** The session in the file's head. */
  #sessionId: string | null;
  #snapshot: string;

  constructor({ sessionId, agentId }: SourceFile, cwd: string | null, agentState: string | null) {
    const [known = "", snapshot = ""] = agentState?.split(" ") ?? [];
    this.#agentId = agentId;
    this.#cwd = cwd;
    this.#branchAt = branchAt(cwd);
    this.#sessionId = sessionId ?? stringOf(known);
    this.#snapshot = snapshot;
    this.source = sourceOf({ sessionId, agentId });
  }

  get state(): string | null {
    return `${this.#sessionId ?? ""} ${this.#snapshot}`;
  }

  /** Skips most lines, which only set a time or repeat the whole history. */
  passOver({ bytes, start, end }: LineReader): Skipped {
    if (!standsAt(bytes, start, SET)) return null;
    const line = bytes.subarray(start, Math.min(end, start + READ.maxLineBytes));
    return line.includes(SNAPSHOT) || line.includes(SUMMARY) ? null : "set";
  }

  read(record: JsonObject): ReadResult {
    const { sessionId, type, $set: set } = record;
    if (set !== undefined) return this.#set(objectOf(set) ?? {});
    const rewindTo = stringOf(record.$rewindTo);
    if (rewindTo !== null && this.#agentId === null)
      return [{ kind: "rewind", sessionId: this.#sessionId, uuid: rewindTo }];
    if (record.$rewindTo !== undefined) return "rewind";
    if (type === undefined && stringOf(sessionId) !== null) {
      if (this.#agentId === null) this.#sessionId = stringOf(sessionId);
      return this.#title(record.summary, "session");
    }
    const unknown = Object.keys(record).find((key) => key.startsWith("$"));
    if (unknown !== undefined) return unknown.slice(1);
    return messageEvents(record, this.#aboutAt(record.timestamp));
  }

  #aboutAt(given: unknown): Session {
    const timestamp = timeOf(given);
    const branch = this.#branchAt(timestamp);
    return { sessionId: this.#sessionId, agentId: this.#agentId, cwd: this.#cwd, timestamp, branch };
  }

  #set({ messages, summary, lastUpdated }: JsonObject): ReadResult {
    const snapshot = snapshotIn(messages);
    if (snapshot === null) return this.#title(summary, "set");
    const hash = Bun.hash(`${this.#sessionId ?? ""}\0${snapshot}`).toString(36);
    // A resumed session repeats the summary.
    if (hash === this.#snapshot || this.#agentId !== null) return "set";
    this.#snapshot = hash;
    return compaction(snapshot, { ...this.#aboutAt(lastUpdated), uuid: `gemini-${hash}` });
  }

  /** Records the title that the client made for a session. Without one, counts the record as `kind`. */
  #title(summary: unknown, kind: string): ReadResult {
    const title = stringOf(summary);
    return title === null || this.#agentId !== null ? kind : titled(this.#sessionId, title);
  }
}

/** Minimum length of a task to compare; shorter ones could be part of any text. */
const MIN_TASK_CHARS = 12;

/**
 * Renames prompts of subagents, which older versions wrote into the main conversation as the user's: right after a prompt,
 * containing the task that a later call gives to a subagent. Leaves a last one for later.
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

/** Returns the tasks that a message of the model gave to subagents. */
function tasksOf(message: JsonObject): string[] {
  return objectsOf(message.toolCalls)
    .filter(isSubagentCall)
    .flatMap(({ args }) => Object.values(objectOf(args) ?? {}))
    .filter((value) => typeof value === "string")
    .filter((value) => value.length >= MIN_TASK_CHARS);
}

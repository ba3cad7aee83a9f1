import { READ } from "../../constants.ts";
import type { LineAdapter, LineResult, RecordAdapter } from "../../ingest/transcript/json-lines.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { RecordSource, Skipped } from "../../ingest/transcript/recorder.ts";
import { branchReader } from "../../io/git/project.ts";
import { asList, asObject, asObjects, asString, type JsonObject } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { agentSource, compaction, timeOf, titled } from "../conversation.ts";
import { findSnapshot, isSubagentCall, messageEvents, type SessionFields } from "./events.ts";
import { messageTexts } from "./said.ts";

/** Converts an older version's session to the records of a newer version. */
export function upgradeRecords({ messages, ...head }: JsonObject): JsonObject[] {
  const records = asList(messages).map((message) => asObject(message) ?? { type: "non_object" });
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
      asString(sessionId) !== null || (asString(id) !== null && asString(type) !== null),
  };
  readonly source: RecordSource;
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
    this.#branchAt = branchReader(cwd);
    this.#sessionId = sessionId ?? asString(known);
    this.#snapshot = snapshot;
    this.source = agentSource({ sessionId, agentId });
  }

  get state(): string | null {
    return `${this.#sessionId ?? ""} ${this.#snapshot}`;
  }

  /** Skips most lines, which only set a time or repeat the whole history. */
  passOver({ bytes, start, end }: LineReader): Skipped {
    if (!bytes.subarray(start, start + SET.length).equals(SET)) return null;
    const line = bytes.subarray(start, Math.min(end, start + READ.maxLineBytes));
    return line.includes(SNAPSHOT) || line.includes(SUMMARY) ? null : "set";
  }

  read(record: JsonObject): LineResult {
    const { sessionId, type, $set: set } = record;
    if (set !== undefined) return this.#set(asObject(set) ?? {});
    const rewindTo = asString(record.$rewindTo);
    if (rewindTo !== null && this.#agentId === null)
      return [{ kind: "rewind", sessionId: this.#sessionId, uuid: rewindTo }];
    if (record.$rewindTo !== undefined) return "rewind";
    if (type === undefined && asString(sessionId) !== null) {
      if (this.#agentId === null) this.#sessionId = asString(sessionId);
      return this.#title(record.summary, "session");
    }
    const unknown = Object.keys(record).find((key) => key.startsWith("$"));
    if (unknown !== undefined) return unknown.slice(1);
    return messageEvents(record, this.#aboutAt(record.timestamp));
  }

  #aboutAt(given: unknown): SessionFields {
    const timestamp = timeOf(given);
    const branch = this.#branchAt(timestamp);
    return { sessionId: this.#sessionId, agentId: this.#agentId, cwd: this.#cwd, timestamp, branch };
  }

  #set({ messages, summary, lastUpdated }: JsonObject): LineResult {
    const snapshot = findSnapshot(messages);
    if (snapshot === null) return this.#title(summary, "set");
    const hash = Bun.hash(`${this.#sessionId ?? ""}\0${snapshot}`).toString(36);
    // A resumed session repeats the summary.
    if (hash === this.#snapshot || this.#agentId !== null) return "set";
    this.#snapshot = hash;
    return compaction(snapshot, { ...this.#aboutAt(lastUpdated), uuid: `gemini-${hash}` });
  }

  /** Records the title that the client made for a session. Without one, counts the record as `kind`. */
  #title(summary: unknown, kind: string): LineResult {
    const title = asString(summary);
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
  return messageTexts(record.content).join("\n").includes(task);
}

/** Returns the tasks that a message of the model gave to subagents. */
function tasksOf(message: JsonObject): string[] {
  return asObjects(message.toolCalls)
    .filter(isSubagentCall)
    .flatMap(({ args }) => Object.values(asObject(args) ?? {}))
    .filter((value) => typeof value === "string")
    .filter((value) => value.length >= MIN_TASK_CHARS);
}

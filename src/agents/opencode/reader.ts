import { MementorError } from "../../errors.ts";
import type { Answer, Said, ToolCall, ToolResult, TranscriptEvent } from "../../ingest/transcript/events.ts";
import type { LineResult, RecordAdapter } from "../../ingest/transcript/json-lines.ts";
import type { RecordSource } from "../../ingest/transcript/recorder.ts";
import { skillCall } from "../../ingest/transcript/tools/call.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { branchReader } from "../../io/git/project.ts";
import { asList, asNumber, asObject, asObjects, asString, type JsonObject } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { type About, agentSource, conversation, resultOf, timeOf, titled, worked } from "../conversation.ts";
import * as tool from "../tool-table.ts";
import {
  isDatabase,
  type Message,
  placeOf,
  readSession,
  readSessionFile,
  type Session,
  sourceFile,
  whyUnreadable,
} from "./rows.ts";

/**
 * Opens a session of opencode, from its database or from an older version's files.
 *
 * @throws `not_found` when no session is at the path.
 */
export function openSession(path: string): { records: Iterable<JsonObject>; adapter: RecordAdapter } {
  const session = sessionOf(path);
  if (session === null) throw new MementorError("not_found", `cannot read ${path}: it no longer exists`);
  return { records: recordsOf(session), adapter: new Messages(session, sourceFile(path)) };
}

function sessionOf(path: string): Session | null {
  const place = placeOf(path);
  if (place === null && isDatabase(path)) throw unreadable(path, whyUnreadable(path));
  if (place === null) return null;
  if (place.kind === "file") return readSessionFile(path, place.storage);
  try {
    return readSession(place.database, place.sessionId);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): MementorError {
  return new MementorError("io", `cannot read ${path}: opencode's database cannot be read`, { cause });
}

/** Yields one record for the session, one for each message, one for each part without content to read, and one for an undo. */
function* recordsOf({ info, messages }: Session): Iterable<JsonObject> {
  yield { kind: "session" };
  for (const [index, { parts }] of messages.entries()) {
    yield { kind: "message", index };
    for (const { type } of parts) if (!READ_PARTS.has(type)) yield { kind: "part", type };
  }
  if (info.revertedFrom !== null) yield { kind: "revert" };
}

class Messages implements RecordAdapter {
  readonly source: RecordSource;
  readonly #session: Session;
  readonly #about: About;
  readonly #branchAt: (time: string | null) => string | null;
  /** Identities of messages, by id. */
  readonly #identities = new Map<string | null, string>();

  constructor(session: Session, { sessionId, agentId }: SourceFile) {
    const { directory, version, agent, title } = session.info;
    this.#session = session;
    this.#about = { sessionId, agentId, cwd: directory, version };
    this.#branchAt = branchReader(directory);
    const task = title?.replace(/ \(@[\w-]+ subagent\)$/, "") ?? null;
    this.source = agentSource({ sessionId, agentId }, { type: agent, task });
  }

  read({ kind, index, type }: JsonObject): LineResult {
    if (kind === "session") return this.#title();
    if (kind === "revert") return this.#revert();
    if (kind === "part") return asString(type) ?? "no_type";
    const message = this.#session.messages[asNumber(index) ?? -1];
    if (message === undefined) return "no_message";
    const { role } = message.data;
    if (role === "user") return promptEvents(message, this.#of(message));
    if (role === "assistant") return workEvents(message, this.#of(message));
    return asString(role) ?? "no_type";
  }

  /** Records the title that the client made. An earlier title only contains the session's start time. */
  #title(): LineResult {
    const { title } = this.#session.info;
    if (title === null || this.#about.agentId !== null || /^(?:New|Child) session - \d/.test(title))
      return "session";
    return titled(this.source.sessionId, title);
  }

  /** Records an undo. Undone messages stay in the database until the next prompt. */
  #revert(): LineResult {
    const uuid = this.#identities.get(this.#session.info.revertedFrom);
    const { sessionId = null, agentId = null } = this.#about;
    if (uuid === undefined || agentId !== null) return "revert";
    return [{ kind: "rewind", sessionId, uuid }];
  }

  #of(message: Message): About {
    const { timestamp = null, ...about } = aboutOf(message);
    const branch = this.#branchAt(timestamp);
    return { ...this.#about, ...about, timestamp, branch, uuid: this.#identity(message) };
  }

  /**
   * Returns an identity that a message shares with its copies. A fork copies messages under new ids with the same times and
   * texts, so a prompt is identified by its time and text, and the model's work by its prompt and time.
   */
  #identity(message: Message): string {
    const { id, role, time, parentID } = message.data;
    const created = asNumber(asObject(time)?.created);
    const words = said(message);
    const prompt = asString(parentID);
    const asked =
      prompt === null ? ("text" in words ? words.text : "") : (this.#identities.get(prompt) ?? prompt);
    const key = created === null ? [this.#about.sessionId, id] : [role, created, asked];
    const identity = `opencode-${Bun.hash(JSON.stringify(key)).toString(36)}`;
    this.#identities.set(asString(id), identity);
    return identity;
  }
}

/** Parts with content to read. Others are counted by their type. */
const READ_PARTS: ReadonlySet<unknown> = new Set([
  "text",
  "reasoning",
  "tool",
  "patch",
  "compaction",
  "subtask",
]);

/** Returns the event of a user message. One with a compaction part marks the place of a compaction. */
function promptEvents(message: Message, about: About): TranscriptEvent[] {
  const mark = message.parts.find(({ type }) => type === "compaction");
  if (mark === undefined) return [conversation(said(message), about)];
  const trigger = mark.auto === false ? "manual" : "auto";
  return [conversation({ kind: "compaction", trigger, preTokens: null }, about)];
}

/** Returns the event of a message of the model. */
function workEvents({ data, parts }: Message, about: About): LineResult {
  const texts = parts.flatMap(textOf);
  if (data.summary === true) {
    const text = texts.map((each) => each.text).join("\n\n");
    return text === "" ? "no_text" : [conversation({ kind: "compaction_summary", text }, about)];
  }
  const tools = parts.filter(({ type }) => type === "tool");
  const calls = tools.flatMap((part): ToolCall[] => {
    const name = asString(part.tool);
    return name === null
      ? []
      : [tool.toolCall(TOOLS, asString(part.callID), name, asObject(asObject(part.state)?.input))];
  });
  const work = { texts, calls: [...calls, ...changes(parts, calls)] };
  const results = tools.flatMap((part) => toolResult(part) ?? []);
  return worked(work, results, about, `${about.uuid}-results`);
}

function textOf({ type, text, synthetic, ignored }: Message["parts"][number]): EntryText[] {
  const words = asString(text);
  if (words === null || synthetic === true || ignored === true) return [];
  return type === "text" || type === "reasoning" ? [{ text: words, isThinking: type === "reasoning" }] : [];
}

/** Returns the files that changed while the message's tools ran, but that no tool names, as a call without a summary. */
function changes(parts: Message["parts"], calls: readonly ToolCall[]): ToolCall[] {
  const named = new Set(calls.flatMap(({ paths }) => paths));
  const files = parts
    .filter(({ type }) => type === "patch")
    .flatMap((part) => asList(part.files))
    .filter((file) => typeof file === "string");
  const paths = files.filter((file) => !named.has(file));
  if (paths.length === 0) return [];
  return [{ id: null, name: "Edit", shown: null, paths, web: null, command: null, returnsWords: false }];
}

/** Returns the time, model and directory of a message. */
function aboutOf({ data }: Message): About {
  const model = asString(data.modelID) ?? asString(asObject(data.model)?.modelID);
  const cwd = asString(asObject(data.path)?.cwd);
  return { timestamp: timeOf(asObject(data.time)?.created), model, ...(cwd !== null && { cwd }) };
}

const REPORT = /<task_result>\s*([\s\S]*?)\s*(?:<\/task_result>|$)/;
/** The result of a call that the user refused or stopped, which is not a failure of the tool. */
const REFUSED = /^(?:Tool execution aborted|The user rejected permission|The user has specified a rule)/;

/** Returns the result of a part's tool; null while it runs. */
function toolResult({ callID, tool, state: given }: JsonObject): ToolResult | null {
  const state = asObject(given) ?? {};
  const id = asString(callID);
  if (state.status === "error") {
    const error = asString(state.error) ?? "";
    return resultOf(id, true, REFUSED.test(error) ? "" : error);
  }
  if (state.status !== "completed") return null;
  const metadata = asObject(state.metadata);
  const output = asString(state.output) ?? "";
  // A tool succeeds even if its command fails.
  const exit = asNumber(metadata?.exit);
  const result = resultOf(id, exit !== null && exit !== 0, output);
  if (tool === "task") return { ...result, report: asString(REPORT.exec(output)?.[1]) ?? asString(output) };
  if (tool === "question") return { ...result, answers: answersOf(asObject(state.input), metadata) };
  return result;
}

/** Matches answers to questions by their position. */
function answersOf(input: JsonObject | null, metadata: JsonObject | null): Answer[] {
  const answers = asList(metadata?.answers);
  return asObjects(input?.questions).flatMap((asked, index) => {
    const question = asString(asked.question);
    const chosen = asList(answers[index]).filter((each) => typeof each === "string");
    const answer = asString(answers[index]) ?? asString(chosen.join(", "));
    return question === null || answer === null ? [] : { question, answer, notes: null };
  });
}

/** Classifies a user message. Parts that the client or a plugin added are marked. */
function said({ parts }: Message): Said {
  if (parts.some(({ type }) => type === "compaction")) return { kind: "skipped", reason: "compaction" };
  const texts = parts.filter(({ type }) => type === "text");
  const typed = texts
    .filter(({ synthetic, ignored }) => synthetic !== true && ignored !== true)
    .map(({ text }) => asString(text)?.trim() ?? "")
    .filter((text) => text !== "")
    .map(unquoted)
    .join("\n");
  if (typed !== "") return { kind: "prompt", text: typed, isQueued: false };
  const command = parts.find(({ type }) => type === "subtask");
  if (command) return subtask(asString(command.command), asString(command.prompt));
  return { kind: "skipped", reason: texts.length === 0 ? "no_text" : "synthetic" };
}

/** Returns a user's command that a subagent carries out. */
function subtask(command: string | null, prompt: string | null): Said {
  const text = command === null ? prompt : `/${command}`;
  return text === null ? { kind: "skipped", reason: "subtask" } : { kind: "command", text };
}

/** Removes the quotes with which `opencode run "two words"` stores the prompt. */
function unquoted(text: string): string {
  const inside = /^"((?:[^"\\]|\\[\s\S])*)"$/.exec(text)?.[1];
  return inside === undefined || !/\s/.test(inside) ? text : inside.replaceAll('\\"', '"');
}

const TOOLS = tool.toolTable({
  read: ["Read", tool.fileReader("filePath")],
  edit: ["Edit", tool.fileReader("filePath")],
  multiedit: ["Edit", tool.fileReader("filePath")],
  write: ["Write", tool.fileReader("filePath")],
  apply_patch: ["Edit", tool.patchReader("patchText")],
  patch: ["Edit", tool.patchReader("patchText")],
  bash: ["Bash", tool.shellReader],
  grep: ["Grep", tool.searchReader],
  glob: ["Glob", tool.searchReader],
  list: ["Glob", tool.listReader("path")],
  task: ["Task", tool.subagentReader],
  webfetch: ["WebFetch", tool.webFetch],
  websearch: ["WebSearch", tool.webSearch],
  skill: ["Skill", (text) => skillCall(text("name"), null)],
  question: tool.dialogueReader,
  todowrite: tool.hiddenReader,
  todoread: tool.hiddenReader,
});

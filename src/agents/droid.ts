import { basename, dirname, join } from "node:path";
import type { Answer, ConversationEvent, Said, ToolResult } from "../ingest/transcript/events.ts";
import type { LineAdapter, LineResult } from "../ingest/transcript/json-lines.ts";
import { headRecords } from "../ingest/transcript/lines.ts";
import type { RecordShape } from "../ingest/transcript/objects.ts";
import type { RecordSource } from "../ingest/transcript/recorder.ts";
import type { ReaderState } from "../ingest/transcript/state.ts";
import { searchCall, shellCall, skillCall } from "../ingest/transcript/tools/call.ts";
import type { EntryText } from "../ingest/transcript/transcript.ts";
import { asList, asNumber, asObject, asObjects, asString, type JsonObject, parseObject } from "../io/json.ts";
import type { Agent, Environment, SourceFile } from "./agent.ts";
import {
  type About,
  agentSource,
  compaction,
  conversation,
  lineReader,
  partTexts,
  resultOf,
  timeOf,
  titled,
  typedPrompt,
  worked,
} from "./conversation.ts";
import { fileStamp, filesBelow, listEntries } from "./files.ts";
import { INTERRUPTED } from "./notices.ts";
import * as tool from "./tool-table.ts";

const factoryDirectory = ({ homeDir }: Environment) => join(homeDir, ".factory");

/**
 * Droid: one file of JSON lines per session, `sessions/<directory>/<session>.jsonl`, without the folder in older versions. A
 * subagent is a session that names its caller.
 */
export const droid: Agent = {
  id: "droid",
  resumeCommand: (sessionId) => ["droid", "--resume", sessionId],
  home: factoryDirectory,
  roots: (environment) => [join(factoryDirectory(environment), "sessions")],
  owns: isDroidFile,
  growth: () => "appended",
  stampOf: fileStamp,
  startedIn: (path) => asString(startOf(path)?.cwd),
  projectSessions({ environment, belongs, isWanted }) {
    const files = droid.roots(environment).flatMap(sessionsBelow).filter(isWanted);
    const found = files.filter((file) => {
      const cwd = asString(startOf(file)?.cwd);
      return cwd !== null && belongs(cwd);
    });
    const isSubagent = (file: string) => Number(sourceFile(file).agentId !== null);
    return found.sort((a, b) => isSubagent(a) - isSubagent(b));
  },
  discover: (path) => filesBelow(path, isDroidFile),
  sourceOf: sourceFile,
  reader: () => lineReader((path, state) => new SessionLines(path, state)),
};

function sessionsBelow(root: string): string[] {
  return listEntries(root).flatMap((entry) => {
    const path = join(root, entry.name);
    const inside = entry.isDirectory() ? listEntries(path).map(({ name }) => join(path, name)) : [path];
    return inside.filter((file) => isDroidFile(file) && fileStamp(file) !== null);
  });
}

const SESSION = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/i;
/** Maximum depth of nested subagents; more is a cycle. */
const MAX_DEPTH = 8;

/** Tells whether a path is `sessions/-<directory>/<session>.jsonl`, or `.factory/sessions/<session>.jsonl` of older versions. */
function isDroidFile(path: string): boolean {
  if (!SESSION.test(basename(path))) return false;
  const folder = dirname(path);
  const [name, parent] = [basename(folder), basename(dirname(folder))];
  if (name === "sessions") return parent === ".factory";
  return parent === "sessions" && (name.startsWith("-") || basename(dirname(dirname(folder))) === ".factory");
}

/** Returns the record that starts a session, with its directory and the calling session; null when it cannot be read. */
function startOf(path: string): JsonObject | null {
  const [first] = headRecords(path);
  return first?.type === "session_start" ? { ...first, ...asObject(first.session) } : null;
}

/** Returns the ids of a file. The session of a subagent is the one that a person started. */
function sourceFile(path: string): SourceFile {
  const id = basename(path, ".jsonl");
  let sessionId: string | null = null;
  let caller = asString(startOf(path)?.callingSessionId);
  for (let depth = 0; caller !== null && depth < MAX_DEPTH; depth++) {
    sessionId = caller;
    caller = asString(startOf(join(dirname(path), `${caller}.jsonl`))?.callingSessionId);
  }
  return sessionId === null
    ? { sessionId: id, isNamed: isDroidFile(path), agentId: null }
    : { sessionId, isNamed: false, agentId: id };
}

/** Interprets the lines of a session of Droid. */
class SessionLines implements LineAdapter {
  readonly shape: RecordShape = {
    start: /\{\s*"type"\s*:/,
    isRecord: ({ type, message }) => type === "message" && asObject(message) !== null,
  };
  readonly source: RecordSource;
  readonly #about: About;
  /** Only the first record names the directory. */
  #cwd: string | null;
  /** Questions to the user without an answer so far, by id of the call. */
  readonly #questions = new Map<string, string>();

  constructor(path: string, state: ReaderState) {
    const { sessionId, agentId } = sourceFile(path);
    this.#about = { sessionId, agentId };
    this.#cwd = asString(parseObject(state.agentState ?? "")?.cwd);
    this.source = agentSource({ sessionId, agentId });
  }

  get state(): string {
    return JSON.stringify({ cwd: this.#cwd });
  }

  read(record: JsonObject): LineResult {
    if (record.type === "session_start") return this.#start(record);
    if (record.type === "compaction_state") return this.#compacted(record);
    const message = asObject(record.message);
    if (record.type !== "message" || message === null) return asString(record.type) ?? "no_type";
    return this.#eventsOf(record, message);
  }

  #eventsOf(record: JsonObject, message: JsonObject): ConversationEvent[] {
    const about = {
      ...this.#of(record),
      model: asString(message.modelId) ?? asString(message.model),
      isAutomated: message.userMessageSource === "automation" ? true : null,
    };
    if (message.role === "user") return userEvents(message, about, this.#questions);
    if (message.role !== "assistant")
      return [conversation({ kind: "skipped", reason: asString(message.role) ?? "no_role" }, about)];
    for (const [id, question] of questionsIn(message)) this.#questions.set(id, question);
    return workEvents(message, about, this.#questions);
  }

  /** Records the start of a session. Until Droid makes a title, it writes the start of the prompt in its place. */
  #start(record: JsonObject): LineResult {
    const session = asObject(record.session) ?? record;
    this.#cwd = asString(session.cwd) ?? this.#cwd;
    const { sessionId = null, agentId = null } = this.#about;
    const title = asString(session.sessionTitle);
    const isSet = session.isSessionTitleManuallySet === true;
    if (title === null || agentId !== null || (!isSet && title === session.title)) return "session_start";
    return titled(sessionId, title, isSet ? "custom-title" : "ai-title");
  }

  #compacted(record: JsonObject): LineResult {
    const text = asString(record.summaryText) ?? asString(asObject(record.summary)?.body);
    return compaction(text, this.#of(record), asNumber(record.preTokens));
  }

  #of({ id, timestamp }: JsonObject): About {
    return { ...this.#about, cwd: this.#cwd, uuid: asString(id), timestamp: timeOf(timestamp) };
  }
}

/** Passages that Droid adds to the typed text. */
const ADDED = /<system-(reminder|notification)>[\s\S]*?(?:<\/system-\1>|$)/g;
/** Droid's wrapping of the output of a failed command. */
const FAILED = /^Error: (?:Command failed \(exit code: \d+\)|Tool execution failed:?)\s*/;
const EXIT_LINE = /(?<!\s)\s*\[Process exited with code (-?\d+)\]\s*$/;
const REFUSED =
  /^(?:Error: )?(?:Tool execution (?:was )?(?:cancelled|rejected)|(?:The )?user (?:rejected|cancelled|declined))/i;

/** Returns the event of a user message: a prompt, the results of tools, or the reason why neither. */
function userEvents(
  message: JsonObject,
  about: About,
  questions: ReadonlyMap<string, string>,
): ConversationEvent[] {
  const results = resultsIn(message, questions);
  const spoken = saidIn(message);
  if (results.length === 0) return [conversation(spoken, about)];
  const said = spoken.kind === "skipped" ? null : spoken;
  return [conversation({ kind: "results", results, said }, about)];
}

function saidIn(message: JsonObject): Said {
  // `llm_only` is context for the model, `user_only` a note on the screen.
  const visibility = asString(message.visibility);
  if (visibility !== null && visibility !== "all") return { kind: "skipped", reason: visibility };
  if (asString(message.hookEventName) !== null) return { kind: "skipped", reason: "hook" };
  const text = blocksOf(message)
    .flatMap((block) => (block.type === "text" ? (asString(block.text) ?? []) : []))
    .map((each) => each.replace(ADDED, "").trim())
    .filter((each) => each !== "")
    .join("\n");
  return text.startsWith(INTERRUPTED) ? { kind: "skipped", reason: "interruption" } : typedPrompt(text);
}

/** Returns the events of a message of the model. In older versions it contains the results of its tools, too. */
function workEvents(
  message: JsonObject,
  about: About,
  questions: ReadonlyMap<string, string>,
): ConversationEvent[] {
  const blocks = blocksOf(message);
  const calls = blocks.flatMap((block) => {
    const name = block.type === "tool_use" ? asString(block.name) : null;
    return name === null ? [] : tool.toolCall(TOOLS, asString(block.id), name, asObject(block.input));
  });
  const resultsId = about.uuid ? `${about.uuid}-results` : null;
  return worked({ texts: blocks.flatMap(wordsOf), calls }, resultsIn(message, questions), about, resultsId);
}

/** Returns the questions to the user of a message's calls, by id of the call. */
function questionsIn(message: JsonObject): [id: string, question: string][] {
  return blocksOf(message).flatMap((block): [string, string][] => {
    const [id, asked] = [asString(block.id), asString(asObject(block.input)?.questionnaire)];
    return block.name === "AskUser" && id !== null && asked !== null ? [[id, asked]] : [];
  });
}

function wordsOf(block: JsonObject): EntryText[] {
  if (block.type === "tool_use" && block.name === "ExitSpecMode") {
    const plan = asString(asObject(block.input)?.plan);
    return plan === null ? [] : [{ text: plan, isThinking: false }];
  }
  const isThinking = block.type === "thinking" || block.type === "reasoning";
  const text = asString(block.text) ?? (isThinking ? asString(block.thinking) : null);
  return text !== null && (isThinking || block.type === "text") ? [{ text, isThinking }] : [];
}

function resultsIn(message: JsonObject, questions: ReadonlyMap<string, string>): ToolResult[] {
  return blocksOf(message).flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const id = asString(block.tool_use_id);
    const output = textOf(block.content);
    const question = questions.get(id ?? "");
    const isError = block.is_error === true;
    if (question !== undefined) return { ...resultOf(id, isError, ""), answers: answersIn(output) };
    const code = EXIT_LINE.exec(output)?.[1];
    const text = output.replace(EXIT_LINE, "");
    const hasFailed = isError || (code !== undefined && code !== "0");
    if (!hasFailed) return { ...resultOf(id, false, text), report: asString(text) };
    return resultOf(id, true, REFUSED.test(text) ? "" : (asString(text.replace(FAILED, "")) ?? text));
  });
}

/** Parses `1. [question] …` and the `[answer] …` below it, for each question. */
function answersIn(output: string): Answer[] {
  const found: Answer[] = [];
  let question: string | null = null;
  for (const line of output.split("\n")) {
    question = /\[question\]\s*(.+)/.exec(line)?.[1]?.trim() ?? question;
    const answer = /^\s*\[answer\]\s*(.+)/.exec(line)?.[1]?.trim();
    if (question !== null && answer !== undefined) found.push({ question, answer, notes: null });
  }
  return found;
}

function blocksOf({ content }: JsonObject): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asObjects(content);
}

function textOf(content: unknown): string {
  return partTexts(blocksOf({ content })).join("\n");
}

const touched = tool.fileReader("file_path", "path");
/** Droid searches for several patterns at once. */
const glob: tool.CallReader = (text, input) =>
  searchCall(patternsIn(input) ?? text("pattern", "patterns"), text("folder", "path"));

const TOOLS = tool.toolTable({
  Read: touched,
  Edit: touched,
  MultiEdit: ["Edit", touched],
  Create: ["Write", touched],
  Write: touched,
  ApplyPatch: ["Edit", tool.patchReader("input", "patch")],
  Execute: ["Bash", (text) => shellCall(text("summary", "description"), text("command"))],
  Grep: tool.searchReader,
  Glob: glob,
  LS: ["Glob", tool.listReader("directory_path", "path")],
  Task: tool.subagentReader,
  Skill: (text) => skillCall(text("skill", "name"), text("args")),
  FetchUrl: ["WebFetch", tool.webFetch],
  WebSearch: tool.webSearch,
  AskUser: tool.dialogueReader,
  ExitSpecMode: tool.hiddenReader,
  TodoWrite: tool.hiddenReader,
  ToolSearch: tool.hiddenReader,
});

function patternsIn({ patterns }: JsonObject): string | null {
  return asString(
    asList(patterns)
      .filter((each) => typeof each === "string")
      .join(", "),
  );
}

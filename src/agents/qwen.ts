import { basename, dirname, join } from "node:path";
import type { ConversationEvent, Message, ToolCall, ToolResult } from "../ingest/transcript/events.ts";
import type { LineAdapter, LineResult } from "../ingest/transcript/json-lines.ts";
import type { LineReader } from "../ingest/transcript/lines.ts";
import { headRecords } from "../ingest/transcript/lines.ts";
import type { RecordShape } from "../ingest/transcript/objects.ts";
import type { RecordSource, Skipped } from "../ingest/transcript/recorder.ts";
import { skillCall, webCall } from "../ingest/transcript/tools/call.ts";
import type { EntryText } from "../ingest/transcript/transcript.ts";
import { asList, asNumber, asObject, asObjects, asString, type JsonObject } from "../io/json.ts";
import { toUtc } from "../text/when.ts";
import type { Agent, Environment } from "./agent.ts";
import {
  type About,
  compaction,
  conversation,
  lineReader,
  resultOf,
  titled,
  typedPrompt,
} from "./conversation.ts";
import { absolutePath, fileStamp, filesBelow, listEntries } from "./files.ts";
import * as tool from "./tool-table.ts";

const SESSION = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/i;

/** Returns the directory of Qwen Code's sessions: `~/.qwen`, or a variable's value. */
function qwenDirectory({ env, homeDir }: Environment): string {
  return absolutePath(env.QWEN_RUNTIME_DIR) ?? absolutePath(env.QWEN_HOME) ?? join(homeDir, ".qwen");
}

/** Returns the directory of settings, which is in the home directory even if the sessions are elsewhere. */
function qwenHome({ env, homeDir }: Environment): string {
  return absolutePath(env.QWEN_HOME) ?? join(homeDir, ".qwen");
}

function sessionIdOf(path: string): string {
  return basename(path, ".jsonl");
}

function owns(path: string): boolean {
  return SESSION.test(basename(path)) && basename(dirname(path)) === "chats";
}

/** Qwen Code: one file of JSON lines per session, `projects/<directory>/chats/<session>.jsonl`. */
export const qwen: Agent = {
  id: "qwen",
  resumeCommand: (sessionId) => ["qwen", "--resume", sessionId],
  home: qwenHome,
  // It says at every end of a turn that a hook keeps it from ending.
  hooks: { variable: "QWEN_PROJECT_DIR", normalize: () => ({ stop_hook_active: false }) },
  roots: (environment) => [join(qwenDirectory(environment), "projects")],
  owns,
  growth: () => "appended",
  stampOf: fileStamp,
  projectSessions({ environment, belongs, isWanted }) {
    const found: string[] = [];
    for (const file of qwen.roots(environment).flatMap(chatsBelow)) {
      if (!owns(file) || !isWanted(file)) continue;
      const cwd = cwdOf(file);
      if (cwd !== null && belongs(cwd)) found.push(file);
    }
    return found;
  },
  discover: (path) => filesBelow(path, owns),
  sourceOf: (path) => ({ sessionId: sessionIdOf(path), isNamed: owns(path), agentId: null }),
  reader: () => lineReader((path) => new ChatLines(path)),
};

function chatsBelow(root: string): string[] {
  return listEntries(root).flatMap((folder) => {
    const chats = join(root, folder.name, "chats");
    return listEntries(chats).map(({ name }) => join(chats, name));
  });
}

/** Returns the directory of a session, which every record contains. */
function cwdOf(file: string): string | null {
  for (const { cwd } of headRecords(file)) if (asString(cwd) !== null) return asString(cwd);
  return null;
}

const SHAPE: RecordShape = {
  start: /\{\s*"uuid"\s*:/,
  isRecord: ({ sessionId, type }) => asString(sessionId) !== null && asString(type) !== null,
};

/** Matches telemetry, half of the lines. `system` precedes the kind, and both precede the content. */
const NOISE =
  /^\{"uuid":"[^"]*",(?:"[a-zA-Z]+":(?:"[^"]*"|null),)*"type":"system",(?:"[a-zA-Z]+":"[^"]*",)*"subtype":"(ui_telemetry|attribution_snapshot|file_history_snapshot)"/;
const HEAD_CHARS = 1_000;

class ChatLines implements LineAdapter {
  readonly shape = SHAPE;
  readonly source: RecordSource;
  readonly state = null;

  constructor(path: string) {
    this.source = { sessionId: sessionIdOf(path), subagent: null };
  }

  passOver(lines: LineReader): Skipped {
    if (lines.hasGlue()) return null;
    const { bytes, start, end } = lines;
    return NOISE.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)))?.[1] ?? null;
  }

  read(record: JsonObject): LineResult {
    switch (record.type) {
      case "user":
        return [this.#say(record, promptOf(record))];
      case "assistant":
        return [this.#say(record, workOf(record))];
      case "tool_result":
        return [this.#say(record, resultsOf(record))];
      case "system":
        return this.#system(record);
      default:
        return asString(record.type) ?? "no_type";
    }
  }

  #system(record: JsonObject): LineResult {
    const payload = asObject(record.systemPayload);
    if (record.subtype === "custom_title")
      return titled(this.#sessionOf(record), asString(payload?.customTitle), "custom-title");
    if (record.subtype !== "chat_compression") return asString(record.subtype) ?? "system";
    const preTokens = asNumber(asObject(payload?.info)?.originalTokenCount);
    const [first] = asList(payload?.compressedHistory);
    const [part] = asList(asObject(first)?.parts);
    const text = asString(asObject(part)?.text);
    return compaction(text, this.#about(record), preTokens);
  }

  #sessionOf({ sessionId }: JsonObject): string | null {
    return asString(sessionId) ?? this.source.sessionId;
  }

  #say(record: JsonObject, message: Message): ConversationEvent {
    return conversation(message, this.#about(record));
  }

  #about(record: JsonObject): About {
    const timestamp = asString(record.timestamp);
    const branch = asString(record.gitBranch);
    return {
      uuid: asString(record.uuid),
      sessionId: this.#sessionOf(record),
      timestamp: timestamp === null ? null : toUtc(timestamp),
      cwd: asString(record.cwd),
      branch: branch === "HEAD" ? null : branch,
      version: asString(record.version),
      model: asString(record.model),
    };
  }
}

/** Returns the parts of a record's message. */
function partsOf(record: JsonObject): JsonObject[] {
  return asObjects(asObject(record.message)?.parts);
}

/**
 * Returns the prompt: the first text of a message. The contents of files that it names, and text from hooks, follow without any
 * mark.
 */
function promptOf(record: JsonObject): Message {
  // Notifications and scheduled tasks are written in the user's name, and marked with their kind.
  const kind = asString(record.subtype);
  if (kind !== null) return { kind: "skipped", reason: kind };
  const text = partsOf(record)
    .map((part) => asString(part.text))
    .find((given) => given !== null);
  return typedPrompt(text ?? "");
}

/** Returns the model's thinking, answers and tool calls. */
function workOf(record: JsonObject): Message {
  const texts: EntryText[] = [];
  const calls: ToolCall[] = [];
  for (const part of partsOf(record)) {
    const text = asString(part.text);
    if (text !== null && text.trim() !== "") texts.push({ text, isThinking: part.thought === true });
    const call = asObject(part.functionCall);
    const name = asString(call?.name);
    if (call !== null && name !== null)
      calls.push(tool.toolCall(TOOLS, asString(call.id), name, asObject(call.args)));
  }
  return { kind: "work", texts, calls };
}

/** Returns the results of tools. Texts next to them come from hooks. */
function resultsOf(record: JsonObject): Message {
  const status = asString(asObject(record.toolCallResult)?.status);
  const results = partsOf(record).flatMap((part) => {
    const response = asObject(part.functionResponse);
    return response === null ? [] : readResult(response, status);
  });
  return results.length === 0
    ? { kind: "skipped", reason: "no_text" }
    : { kind: "results", results, said: null };
}

/** Label of a shell command's output in its result. */
const PRINTED = /^(?:Output|Stdout): /;
const EXIT_CODE = /^(?:-?\d+|\(none\))/;

/**
 * Parses a shell command's result; null for another text. `Error` reports a failed start of the command, and follows the output
 * together with the exit code. The output may look the same, so both are searched for from the end.
 */
function shellResult(text: string): { said: string[]; code: string } | null {
  const directory = text.startsWith("Command: ") ? text.indexOf("\nDirectory: ") : -1;
  const line = directory < 0 ? -1 : text.indexOf("\n", directory + 1);
  const label = line < 0 ? undefined : PRINTED.exec(text.slice(line + 1, line + 10))?.[0];
  if (label === undefined) return null;
  const exit = text.lastIndexOf("\nExit Code: ");
  const code = EXIT_CODE.exec(text.slice(exit + "\nExit Code: ".length))?.[0];
  const error = text.lastIndexOf("\nError: ", exit - 1);
  const start = line + 1 + label.length;
  if (code === undefined || error < start) return null;
  const errors = text.lastIndexOf("\nStderr: ", error - 1);
  const outputEnd = errors < start ? error : errors;
  const said = [
    text.slice(start, outputEnd),
    errors < start ? "" : text.slice(errors + "\nStderr: ".length, error),
    text.slice(error + "\nError: ".length, exit),
  ];
  return { said, code };
}

function readResult(given: JsonObject, status: string | null): ToolResult {
  const name = asString(given.name) ?? "";
  const response = asObject(given.response);
  const error = asString(response?.error);
  const output = error ?? asString(response?.output) ?? "";
  const shell = name === "run_shell_command" ? shellResult(output) : null;
  const code = shell?.code;
  const hasFailed = code !== undefined && code !== "0" && code !== "(none)";
  const isError = error !== null || status === "error" || hasFailed;
  const result = resultOf(asString(given.id), isError, shell ? shellText(shell.said) : output);
  return startsSubagent(name) || name === "ask_user_question"
    ? { ...result, report: asString(output) }
    : result;
}

function shellText(said: readonly string[]): string {
  return said.filter((text) => text !== "" && text !== "(none)" && text !== "(empty)").join("\n");
}

export const TOOLS = tool.toolTable({
  read_file: ["Read", tool.fileReader("file_path", "absolute_path")],
  write_file: ["Write", tool.fileReader("file_path")],
  edit: ["Edit", tool.fileReader("file_path")],
  replace: ["Edit", tool.fileReader("file_path")],
  run_shell_command: ["Bash", tool.shellReader],
  grep_search: ["Grep", tool.searchReader],
  search_file_content: ["Grep", tool.searchReader],
  glob: ["Glob", tool.searchReader],
  list_directory: ["Glob", tool.listReader("path")],
  agent: ["Task", tool.subagentReader],
  task: ["Task", tool.subagentReader],
  skill: ["Skill", (text) => skillCall(text("skill"), text("args"))],
  web_fetch: ["WebFetch", (text) => webCall("url", text("url", "prompt"))],
  web_search: ["WebSearch", tool.webSearch],
  ask_user_question: tool.dialogueReader,
  exit_plan_mode: tool.hiddenReader,
  todo_write: tool.hiddenReader,
  tool_search: tool.hiddenReader,
  send_message: tool.hiddenReader,
  task_stop: tool.hiddenReader,
});

/** Tells whether a call starts a subagent. Its result is the subagent's report. */
function startsSubagent(name: string): boolean {
  return name === "agent" || name === "task";
}

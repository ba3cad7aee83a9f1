import type { ConversationEvent, Said, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import type { LineResult, RecordAdapter } from "../../ingest/transcript/json-lines.ts";
import type { RecordSource } from "../../ingest/transcript/recorder.ts";
import {
  HIDDEN_CALL,
  searchCall,
  skillCall,
  subagentCall,
  webCall,
} from "../../ingest/transcript/tools/call.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import {
  asList,
  asNumber,
  asObject,
  asObjects,
  asString,
  type JsonObject,
  parseObject,
} from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import {
  type About,
  agentSource,
  compaction,
  conversation,
  resultOf,
  timeOf,
  titled,
  typedPrompt,
} from "../conversation.ts";
import * as tool from "../tool-table.ts";

/** Returns one record for the session, one for each message, and one for each block without content to read. */
export function* sessionRecords({ messages }: JsonObject): Iterable<JsonObject> {
  yield { role: "session" };
  for (const message of asObjects(messages)) {
    yield message;
    for (const { type } of asObjects(message.content))
      if (!READ_BLOCKS.has(type)) yield { role: asString(type) ?? "no_type" };
  }
}

/** Interprets the records of a session of Cline, or of one of its subagents. */
export class MessageAdapter implements RecordAdapter {
  readonly source: RecordSource;
  readonly #about: About;
  readonly #manifest: JsonObject;
  /** Questions to the user, by id of the call. */
  readonly #questions = new Map<string, string>();

  constructor(file: SourceFile, manifest: JsonObject, { origin, agent }: JsonObject) {
    const { sessionId, agentId } = file;
    this.#manifest = manifest;
    const { cwd, metadata } = this.#manifest;
    this.#about = {
      sessionId,
      agentId,
      cwd: asString(cwd),
      branch: asString(asObject(asObject(metadata)?.git)?.branch),
      version: asString(asObject(origin)?.version),
    };
    const type = agent === "subagent" ? null : asString(agent);
    this.source = agentSource(file, { type, task: null });
  }

  read(message: JsonObject): LineResult {
    const { role } = message;
    if (role === "session") return this.#title();
    const model = asString(asObject(message.modelInfo)?.id);
    const about = { ...this.#about, uuid: identityOf(message), timestamp: timeOf(message.ts), model };
    if (role === "user") return userEvents(message, about, this.#questions);
    if (role !== "assistant") return asString(role) ?? "no_type";
    for (const [id, question] of questionsIn(message)) this.#questions.set(id, question);
    return workEvents(message, about);
  }

  /** Records the title if somebody set one. By default, it is the prompt. */
  #title(): LineResult {
    const title = asString(asObject(this.#manifest.metadata)?.title);
    if (title === null || title === this.#manifest.prompt || this.#about.agentId !== null) return "session";
    return titled(this.source.sessionId, title);
  }
}

/**
 * Returns the identity of a message: its short id together with its time. A restored session keeps both for the messages that it
 * continues.
 */
function identityOf({ id, ts }: JsonObject): string | null {
  const given = asString(id);
  return given === null ? null : `cline-${given}-${asNumber(ts) ?? 0}`;
}

const INPUT = /^(?:(?!<user_input\b)[\s\S])*<user_input\b[^<>]*>([\s\S]*)<\/user_input>/;
/** The text that replaces a user's command. */
const COMMAND =
  /<user_command\b[^<>]*?\bslash="([^"<>]*)"[^<>]*>((?:(?!<user_command\b)[\s\S])*?)<\/user_command>/g;
const TEAM = /^\s*spawn a team of agents for the following task:\s*/i;
/** Text that the client adds to a prompt. */
const ADDED = /<(mode_notice|file_content)\b[^<>]*>[\s\S]*?(?:<\/\1>|$)/g;
/** Starts of texts that the client writes itself. */
const CLIENTS = ["[SYSTEM]", "<SYSTEM_NOTICE>", "System-delivered teammate async run updates:"];

/** Classifies the text of a user message. A prompt is in `<user_input>`; older versions wrote it without a tag. */
export function said(text: string): Said {
  const commands: string[] = [];
  const input = (INPUT.exec(text)?.[1] ?? text)
    .replace(ADDED, "")
    .replace(COMMAND, (_, slash: string, instructions: string) => {
      commands.push(slash);
      // The user typed a team's task, but not the instructions of any other command.
      return slash === "team" ? `/team ${instructions.replace(TEAM, "")}` : `/${slash}`;
    })
    .trim();
  if (CLIENTS.some((start) => input.startsWith(start))) return { kind: "skipped", reason: "notification" };
  if (commands.some((slash) => input === `/${slash}`)) return { kind: "command", text: input };
  return typedPrompt(input);
}

/** Blocks with content to read. Others are counted by their type. */
const READ_BLOCKS: ReadonlySet<unknown> = new Set(["text", "thinking", "tool_use", "tool_result"]);

/** Returns the event of a user message: a prompt, the results of tools, or the summary of a long context. */
function userEvents(
  message: JsonObject,
  about: About,
  questions: ReadonlyMap<string, string>,
): ConversationEvent[] {
  const text = textsOf(message.content).join("\n").trim();
  const metadata = asObject(message.metadata);
  if (metadata?.kind === "compaction_summary") return compaction(asString(metadata.summary) ?? text, about);
  const results = blocksOf(message.content, "tool_result").flatMap((block): ToolResult[] =>
    toolResults(block, questions.get(asString(block.tool_use_id) ?? "") ?? null),
  );
  if (results.length === 0) return [conversation(said(text), about)];
  return [conversation({ kind: "results", results, said: text === "" ? null : said(text) }, about)];
}

/** Returns the event of a message of the model. */
function workEvents({ content }: JsonObject, about: About): ConversationEvent[] {
  const texts = (
    typeof content === "string" ? [{ type: "text", text: content }] : asObjects(content)
  ).flatMap(wordsOf);
  const calls = blocksOf(content, "tool_use").flatMap((block): ToolCall[] => {
    const name = asString(block.name);
    return name === null ? [] : toolCalls(asString(block.id), name, inputOf(block));
  });
  return [conversation({ kind: "work", texts, calls }, about)];
}

/** Returns the questions to the user, by id of the call. */
function questionsIn({ content }: JsonObject): [id: string, question: string][] {
  return blocksOf(content, "tool_use").flatMap((block): [string, string][] => {
    const [id, question] = [asString(block.id), asString(inputOf(block).question)];
    return block.name === "ask_question" && id !== null && question !== null ? [[id, question]] : [];
  });
}

function wordsOf(block: JsonObject): EntryText[] {
  if (block.type === "tool_use" && block.name === "submit_and_exit") {
    const summary = asString(inputOf(block).summary);
    return summary === null ? [] : [{ text: summary, isThinking: false }];
  }
  const isThinking = block.type === "thinking";
  const text = asString(isThinking ? block.thinking : block.text);
  return text !== null && (isThinking || block.type === "text") ? [{ text, isThinking }] : [];
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  return blocksOf(content, "text").flatMap(({ text }) => asString(text) ?? []);
}

function blocksOf(content: unknown, type: string): JsonObject[] {
  return asObjects(content).filter((block) => block.type === type);
}

function inputOf({ input }: JsonObject): JsonObject {
  return asObject(input) ?? (typeof input === "string" ? { input, commands: input } : {});
}

/** The line that the client adds above the output of a command. */
const EXIT_LINE = /^\[Command exited with code -?\d+\]\n?/;
const REFUSED = /\b(?:denied|rejected|cancelled) by (?:the )?user\b|\buser (?:denied|rejected)\b/i;

/** Returns the results of a call, one for each of the calls that it bundles. `question` is its question to the user, if any. */
function toolResults({ tool_use_id, content, is_error }: JsonObject, question: string | null): ToolResult[] {
  const id = asString(tool_use_id);
  if (question !== null) {
    const answer = asString(textOf(content)?.trim());
    const answers = answer === null ? [] : [{ question, answer, notes: null }];
    return [{ ...resultOf(callId(id, 0), is_error === true, ""), answers }];
  }
  const single = typeof content === "string" ? parseObject(content) : null;
  const parts = single ? [single] : asObjects(content).filter((part) => "query" in part || "success" in part);
  if (parts.length > 0) return parts.map((part, index) => partResult(callId(id, index), part));
  return [resultOf(callId(id, 0), is_error === true, textOf(content) ?? "")];
}

function partResult(id: string | null, part: JsonObject): ToolResult {
  const output = textOf(part.result) ?? "";
  if (part.success !== false) return { ...resultOf(id, false, output), report: asString(part.text) };
  const error = asString(part.error) ?? "";
  const printed = output.replace(EXIT_LINE, "").trim();
  return resultOf(id, true, REFUSED.test(error) ? "" : printed === "" ? error : printed);
}

/** Returns a text, or the joined texts of a list of blocks. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return asString(
    asObjects(value)
      .flatMap((block) => asString(block.text) ?? asString(asObject(block.resource)?.text) ?? [])
      .join("\n"),
  );
}

const TOOLS = tool.toolTable({
  read_files: ["Read", tool.fileReader("path")],
  search_codebase: ["Grep", (text) => searchCall(text("query"), null)],
  run_commands: ["Bash", tool.shellReader],
  editor: [(input) => (isEdit(input) ? "Edit" : "Write"), tool.fileReader("path")],
  apply_patch: ["Edit", tool.patchReader("input")],
  fetch_web_content: ["WebFetch", (text) => webCall("url", text("url"))],
  skills: ["Skill", (text) => skillCall(text("skill"), text("args"))],
  spawn_agent: ["Task", (text) => subagentCall(null, text("task"))],
  ask_question: tool.dialogueReader,
  // The summary counts as the assistant's text.
  submit_and_exit: tool.hiddenReader,
});

function isEdit(input: JsonObject): boolean {
  return asString(input.old_text) !== null || typeof input.insert_line === "number";
}

/**
 * Tools that take several files, commands or questions at once, with the argument of one of them and the names under which models
 * pass the list. Models may also pass a single value, and an object as its main value. The client accepts all of these.
 */
const SEVERAL: ReadonlyMap<string, readonly [argument: string, keys: readonly string[]]> = new Map([
  ["read_files", ["path", ["files", "file_paths", "paths", "path", "file_path", "filePath"]]],
  ["search_codebase", ["query", ["queries"]]],
  ["run_commands", ["command", ["commands", "command", "cmd"]]],
  ["fetch_web_content", ["url", ["requests"]]],
]);

/** Returns the calls that one call of Cline bundles; see `callId` for their ids. */
export function toolCalls(id: string | null, name: string, input: JsonObject): ToolCall[] {
  if (name.startsWith("team_")) return [{ id: callId(id, 0), name, ...HIDDEN_CALL }];
  const several = SEVERAL.get(name);
  const inputs = several ? texts(input, several[1]).map((text) => ({ [several[0]]: text })) : [input];
  return inputs.map((each, index) => tool.toolCall(TOOLS, callId(id, index), name, each));
}

/** Returns the id of one of the calls in a bundle. Its result has the same index in the list of results. */
function callId(id: string | null, index: number): string | null {
  return id === null ? null : `${id}#${index}`;
}

/** Returns the texts of the first key that has any: a text, a list of texts, or objects with a main value. */
function texts(input: JsonObject, keys: readonly string[]): string[] {
  for (const key of keys) {
    const value = input[key];
    const found = (Array.isArray(value) ? asList(value) : [value]).flatMap((each) => firstText(each) ?? []);
    if (found.length > 0) return found;
  }
  return [];
}

function firstText(value: unknown): string | null {
  if (typeof value === "string") return asString(value);
  const fields = asObject(value);
  const command = asString(fields?.command);
  if (command !== null) return [command, ...asList(fields?.args)].join(" ");
  const names = ["path", "file_path", "filePath", "url", "query"];
  return names.reduce<string | null>((found, name) => found ?? asString(fields?.[name]), null);
}

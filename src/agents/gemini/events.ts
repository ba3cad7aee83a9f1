import type { Answer, ToolCall, ToolResult, TranscriptEvent } from "../../ingest/transcript/events.ts";
import {
  multiFileCall,
  searchCall,
  skillCall,
  subagentCall,
  webCall,
} from "../../ingest/transcript/tools/call.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { asList, asObject, asObjects, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { type About, conversation, resultOf, worked } from "../conversation.ts";
import * as tool from "../tool-table.ts";
import { classifyMessage, messageTexts } from "./said.ts";

/** Facts about a message from the file, its head and git. */
export type SessionFields = Pick<About, "sessionId" | "agentId" | "cwd" | "timestamp" | "branch">;

/**
 * Returns the event of a message. A message is written again when its tools are done; its `id` tells which message it replaces.
 */
export function messageEvents(record: JsonObject, session: SessionFields): TranscriptEvent[] {
  const type = asString(record.type);
  const uuid = asString(record.id);
  const about: About = { ...session, uuid, model: asString(record.model) };
  if (type === "user") return [conversation(classifyMessage(record), about)];
  if (type !== "gemini") return [{ kind: "skipped", reason: type ?? "no_type" }];
  return workEvents(record, about);
}

function workEvents(record: JsonObject, about: About): TranscriptEvent[] {
  const texts: EntryText[] = [
    ...asObjects(record.thoughts).flatMap(thoughtOf),
    ...messageTexts(record.content).map((text) => ({ text, isThinking: false })),
  ];
  const tools = asObjects(record.toolCalls);
  const calls = tools.flatMap((call) => {
    const name = asString(call.name);
    const args = asObject(call.args);
    if (name === null) return [];
    const words = handedIn(name, args);
    if (words !== null) texts.push({ text: words, isThinking: false });
    return [toolCall(asString(call.id), name, args, isSubagentCall(call))];
  });
  const results = tools.flatMap((call) => toolResult(call) ?? []);
  return worked({ texts, calls }, results, about, about.uuid ? `${about.uuid}#results` : null);
}

function thoughtOf({ subject, description }: JsonObject): EntryText[] {
  const text = [asString(subject), asString(description)].filter(Boolean).join(": ");
  return text === "" ? [] : [{ text, isThinking: true }];
}

/** Returns the summary that replaced a history, in a `$set` of all messages; null when there is none. */
export function findSnapshot(messages: unknown): string | null {
  for (const message of asList(messages)) {
    const text = messageTexts(asObject(message)?.content).join("\n").trim();
    if (text.startsWith("<state_snapshot>")) return asString(withoutTags(text));
  }
  return null;
}

/** Rewrites `<key_knowledge>words</key_knowledge>` as `key knowledge: words`. */
function withoutTags(text: string): string {
  return text
    .replace(/<\/?state_snapshot>/g, "")
    .replace(/<([a-z_]+)>\s*/g, (_, name: string) => `${name.replaceAll("_", " ")}: `)
    .replace(/(?<!\s)\s*<\/[a-z_]+>/g, "")
    .trim();
}

/** Text that a hook added to the output of a tool. */
const HOOK_CONTEXT = /(?<!\s)\s*<hook_context>(?:(?!<hook_context>)[\s\S])*?<\/hook_context>\s*$/;
const UNTRUSTED = /^<untrusted_context>\n?([\s\S]*?)\n?(?:<\/untrusted_context>\s*)?$/;
/** The lines that the client adds below the output of a command. */
const FOOTER = /\n(?:(?:Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*(?:\n|$)){1,8}$/;
const FAILED = /^Exit Code: (?!0$)/m;
const SUBAGENT = /^Subagent '[^']*' finished\./;
const REPORT = /\nResult:\n([\s\S]*)$/;
/** The result of a refused or interrupted call, which is not a failure of the tool. */
const REFUSED = /^\[Operation Cancelled\]/;

/** Returns the result of one of a message's `toolCalls`; null while it runs. */
function toolResult(call: JsonObject): ToolResult | null {
  const { output, error } = responseOf(call);
  if (output === null && error === null) return null;
  const id = asString(call.id);
  if (error !== null || call.status === "error" || call.status === "cancelled")
    return resultOf(id, true, REFUSED.test(error ?? "") ? "" : (error ?? output ?? ""));
  const text = output ?? "";
  if (call.name === "run_shell_command") return shellResult(id, text);
  if (call.name === "ask_user") return { ...resultOf(id, false, ""), answers: answersOf(call.args, text) };
  return { ...resultOf(id, false, text), report: reportOf(text) };
}

/** Tells whether a call started a subagent, according to its result. */
export function isSubagentCall(call: JsonObject): boolean {
  return asString(call.agentId) !== null || SUBAGENT.test(responseOf(call).output ?? "");
}

function responseOf({ result }: JsonObject): { output: string | null; error: string | null } {
  const parts = asList(result).map((part) => asObject(asObject(asObject(part)?.functionResponse)?.response));
  const text = (key: string) =>
    asString(
      parts
        .flatMap((response) => asString(response?.[key]) ?? [])
        .join("\n")
        .replace(HOOK_CONTEXT, ""),
    );
  return { output: text("output"), error: text("error") };
}

/** Returns the result of a shell. A tool succeeds even if its command fails; the exit code is below the output. */
function shellResult(id: string | null, output: string): ToolResult {
  const text = UNTRUSTED.exec(output)?.[1] ?? output;
  const footer = FOOTER.exec(text)?.[0] ?? "";
  const printed = text.slice(0, text.length - footer.length).replace(/^Output: /, "");
  return resultOf(id, FAILED.test(footer), printed === "(empty)" ? "" : printed);
}

function reportOf(output: string): string | null {
  if (!SUBAGENT.test(output)) return null;
  const report = REPORT.exec(output)?.[1]?.trim() ?? "";
  return wordsOf(parseObject(report)) ?? asString(report);
}

/** Matches answers to questions by their position. */
function answersOf(args: unknown, output: string): Answer[] {
  const answers = asObject(parseObject(output)?.answers) ?? {};
  return asList(asObject(args)?.questions).flatMap((asked, index) => {
    const question = asString(asObject(asked)?.question);
    const answer = asString(answers[String(index)]);
    return question === null || answer === null ? [] : { question, answer, notes: null };
  });
}

const search: tool.CallReader = (text) => searchCall(text("pattern", "query"), text("dir_path", "path"));

const TOOLS = tool.toolTable({
  read_file: ["Read", tool.fileReader("file_path", "absolute_path")],
  read_many_files: ["Read", (_, input) => multiFileCall(strings(input.include ?? input.paths))],
  replace: ["Edit", tool.fileReader("file_path", "absolute_path")],
  edit: ["Edit", tool.fileReader("file_path", "absolute_path")],
  write_file: ["Write", tool.fileReader("file_path", "absolute_path")],
  run_shell_command: ["Bash", tool.shellReader],
  grep_search: ["Grep", search],
  search_file_content: ["Grep", search],
  glob: ["Glob", search],
  list_directory: ["Glob", tool.listReader("dir_path", "path")],
  // The addresses are in its prompt.
  web_fetch: ["WebFetch", (text) => webCall("url", text("url", "prompt"))],
  google_web_search: ["WebSearch", tool.webSearch],
  invoke_agent: ["Task", (text) => subagentCall(text("agent_name"), text("prompt"))],
  codebase_investigator: ["Task", (text) => subagentCall("codebase_investigator", text("objective"))],
  activate_skill: ["Skill", (text) => skillCall(text("name"), null)],
  ask_user: tool.dialogueReader,
  write_todos: tool.hiddenReader,
  update_topic: tool.hiddenReader,
  enter_plan_mode: tool.hiddenReader,
  // Its result is the subagent's text.
  complete_task: tool.hiddenReader,
});

/** Returns a call of Gemini CLI. `isSubagent` is true if its result shows that a subagent worked. */
function toolCall(id: string | null, name: string, args: JsonObject | null, isSubagent: boolean): ToolCall {
  return isSubagent && !TOOLS.has(name)
    ? { id, name: "Task", ...subagentCall(name, firstText(args)) }
    : tool.toolCall(TOOLS, id, name, args);
}

function strings(value: unknown): string[] {
  return typeof value === "string" ? [value] : asList(value).flatMap((each) => asString(each) ?? []);
}

function firstText(args: JsonObject | null): string | null {
  return (
    (Object.values(args ?? {}).find((value) => typeof value === "string" && value !== "") as
      | string
      | undefined) ?? null
  );
}

/** Returns the final submission of a subagent, which no other record contains; null for any other call. */
function handedIn(name: string, args: JsonObject | null): string | null {
  if (name !== "complete_task") return null;
  return wordsOf(args?.result ?? args);
}

/** Returns the words of a result: a text, or an object with one or several texts. */
function wordsOf(result: unknown): string | null {
  if (typeof result === "string") return asString(result);
  const fields = asObject(result);
  if (fields === null) return null;
  const texts = Object.values(fields).filter((value) => typeof value === "string" && value !== "");
  return asString(texts.join("\n\n"));
}

import type { ConversationEvent, Said, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import { notebookCall, searchCall, shellCall } from "../../ingest/transcript/tools/call.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { asObject, asObjects, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { type About, conversation, resultOf, timeOf, typedPrompt } from "../conversation.ts";
import * as tool from "../tool-table.ts";

/** Returns the parts of a message of the command line, which is a list or one text. */
function partsOf(content: unknown): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asObjects(content);
}

/** Returns all text of a message. */
export function messageText(content: unknown): string {
  return partsOf(content)
    .flatMap((part) => (part.type === "text" ? (asString(part.text) ?? []) : []))
    .join("\n");
}

/** Returns the events of a message of the command line; empty for a role without content to read. */
export function messageEvents(role: unknown, content: unknown, about: About): ConversationEvent[] {
  if (role === "user") return [conversation(classifyUserText(messageText(content)), about)];
  const parts = partsOf(content);
  const results = parts.flatMap(resultIn);
  const given: ConversationEvent[] = [];
  if (role === "assistant") {
    const calls = parts.flatMap((part, index) => callIn(part, `${about.uuid}#${index}`));
    given.push(conversation({ kind: "work", texts: parts.flatMap(textIn), calls }, about));
  }
  if (results.length > 0) {
    const uuid = role === "assistant" ? `${about.uuid}-results` : (about.uuid ?? null);
    given.push(conversation({ kind: "results", results, said: null }, { ...about, uuid }));
  }
  return given;
}

function textIn(part: JsonObject): EntryText[] {
  const isThinking = part.type === "reasoning" || part.type === "thinking";
  const text = asString(part.text) ?? asString(part.thinking);
  return text !== null && (isThinking || part.type === "text") ? [{ text, isThinking }] : [];
}

function callIn(part: JsonObject, fallback: string): ToolCall[] {
  const isCall = part.type === "tool-call" || part.type === "tool_use";
  const name = isCall ? (asString(part.toolName) ?? asString(part.name)) : null;
  if (name === null) return [];
  const id = asString(part.toolCallId) ?? asString(part.id) ?? fallback;
  return [tool.toolCall(TOOLS, id, name, asObject(part.args) ?? asObject(part.input))];
}

const EXIT_CODE = /^(?:Command failed(?: to execute)?|Exit code: [1-9]\d*)\b[^\n]*\n?/;
const FAILED = /^(?:Error:|Command failed|Exit code: [1-9])/;
const REFUSED =
  /\b(?:rejected|denied|declined|skipped) by (?:the )?user\b|\bUser (?:rejected|chose to skip)/i;

function resultIn(part: JsonObject): ToolResult[] {
  if (part.type !== "tool-result" && part.type !== "tool_result") return [];
  const id = asString(part.toolCallId) ?? asString(part.tool_use_id);
  const text = textOfResult(part);
  const isError = part.isError === true || part.is_error === true || FAILED.test(text);
  if (!isError) return [{ ...resultOf(id, false, text), report: asString(text) }];
  return [resultOf(id, true, REFUSED.test(text) ? "" : text.replace(EXIT_CODE, "").replace(/^Error: /, ""))];
}

function textOfResult({ result, content, experimental_content: shown }: JsonObject): string {
  const given = result ?? content ?? shown;
  return typeof given === "string" ? given : messageText(given);
}

const QUERY = /<user_query>([\s\S]*?)(?:<\/user_query>|$)/;
const TIMESTAMP = /<timestamp>((?:(?!<timestamp>)[\s\S])*?)<\/timestamp>/;
/** Passages that the command line adds to the typed text. */
const ADDED =
  /<(user_info|timestamp|system_reminder|system-reminder|additional_data|attached_files|open_and_recently_viewed_files|git_status|rules|agent_transcripts|agent_skills|mcp_file_system|project_layout|cursor_commands|manually_attached_skills)\b[^<>]*>[\s\S]*?(?:<\/\1>|$)/g;

/** Classifies the text of a user message. The typed text is in `<user_query>`; the editor writes it without a tag. */
export function classifyUserText(text: string): Said {
  return typedPrompt((QUERY.exec(text)?.[1] ?? text.replace(ADDED, "")).trim(), "context");
}

/** Returns the time of a message from the command line's note beside it: `Monday, Sep 29, 2026, 10:12 AM (UTC+2)`. */
export function findTime(text: string): string | null {
  const given = TIMESTAMP.exec(text)?.[1]?.trim() ?? "";
  const zone = /\(UTC(?:([+-]\d{1,2})(?::(\d\d))?)?\)/.exec(given);
  const date = given.replace(/(?<!\s)\s*\(.{0,200}$/, "");
  if (zone === null || date === "") return timeOf(given);
  const [, hours = "+0", minutes = "00"] = zone;
  const offset = `${hours.startsWith("-") ? "-" : "+"}${hours.slice(1).padStart(2, "0")}${minutes}`;
  const parsed = Date.parse(`${date.replace(/^\w+,\s*/, "")} GMT${offset}`);
  return Number.isNaN(parsed) ? null : timeOf(parsed);
}

const touched = tool.fileReader(
  "relativeWorkspacePath",
  "targetFile",
  "target_file",
  "path",
  "file_path",
  "filePath",
);
const shell: tool.CallReader = (text) => shellCall(text("description", "explanation"), text("command"));
const folderOf = [
  "relativeWorkspacePath",
  "relative_workspace_path",
  "targetDirectory",
  "target_directory",
  "path",
];
const folder = tool.listReader(...folderOf);
const grep: tool.CallReader = (text) => searchCall(text("pattern", "query"), text("path"));
const glob: tool.CallReader = (text) =>
  searchCall(text("globPattern", "glob_pattern", "pattern", "query"), text(...folderOf));
const semantic: tool.CallReader = (text) => searchCall(text("query"), null);
const patched = tool.patchReader("patch", "input");

/** Tools of the editor, in all its versions, and of the command line. */
export const TOOLS = tool.toolTable({
  read_file: ["Read", touched],
  read_file_v2: ["Read", touched],
  Read: touched,
  edit_file: ["Edit", touched],
  edit_file_v2: ["Edit", touched],
  search_replace: ["Edit", touched],
  reapply: ["Edit", touched],
  StrReplace: ["Edit", touched],
  MultiEdit: ["Edit", touched],
  edit_notebook: [
    "NotebookEdit",
    (text) => notebookCall(text("targetNotebook", "target_notebook", "path"), null, null),
  ],
  EditNotebook: ["NotebookEdit", (text) => notebookCall(text("target_notebook", "path"), null, null)],
  write: ["Write", touched],
  Write: touched,
  delete_file: ["Edit", touched],
  Delete: ["Edit", touched],
  apply_patch: ["Edit", patched],
  ApplyPatch: ["Edit", patched],
  run_terminal_cmd: ["Bash", shell],
  run_terminal_command: ["Bash", shell],
  run_terminal_command_v2: ["Bash", shell],
  Shell: ["Bash", shell],
  grep: ["Grep", grep],
  ripgrep: ["Grep", grep],
  ripgrep_raw_search: ["Grep", grep],
  grep_search: ["Grep", grep],
  Grep: grep,
  codebase_search: ["Grep", semantic],
  semantic_search_full: ["Grep", semantic],
  SemanticSearch: ["Grep", semantic],
  file_search: ["Glob", glob],
  glob_file_search: ["Glob", glob],
  Glob: glob,
  list_dir: ["Glob", folder],
  list_dir_v2: ["Glob", folder],
  list_directory: ["Glob", folder],
  LS: ["Glob", folder],
  web_search: [
    "WebSearch",
    (text, input) => tool.webSearch((...keys) => text("searchTerm", "search_term", ...keys), input),
  ],
  WebSearch: (text, input) => tool.webSearch((...keys) => text("search_term", ...keys), input),
  web_fetch: ["WebFetch", tool.webFetch],
  WebFetch: tool.webFetch,
  task: ["Task", tool.subagentReader],
  task_v2: ["Task", tool.subagentReader],
  Task: tool.subagentReader,
  ask_question: tool.dialogueReader,
  AskQuestion: tool.dialogueReader,
  todo_write: tool.hiddenReader,
  TodoWrite: tool.hiddenReader,
  todo_read: tool.hiddenReader,
  create_plan: tool.hiddenReader,
  CreatePlan: tool.hiddenReader,
  update_current_step: tool.hiddenReader,
  SwitchMode: tool.hiddenReader,
});

/** Returns the arguments of a call of the editor: as the model gave them, and as the editor understood them. */
export function argumentsOf({ rawArgs, params }: JsonObject): JsonObject | null {
  const [given, understood] = [rawArgs, params].map((each) => parseObject(asString(each) ?? "") ?? null);
  return given || understood ? { ...given, ...understood } : null;
}

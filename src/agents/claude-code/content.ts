import type { Answer, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import {
  DIALOGUE_CALL,
  fileCall,
  HIDDEN_CALL,
  notebookCall,
  skillCall,
} from "../../ingest/transcript/tools/call.ts";
import { outputHead } from "../../ingest/transcript/tools/values.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { asList, asObject, asObjects, asString, type JsonObject } from "../../io/json.ts";
import { partTexts, resultOf } from "../conversation.ts";
import * as tool from "../tool-table.ts";
import { type Entry, entryTexts, isToolUse, messageBlocks } from "./entry.ts";

/** The content of an entry's message, in order. Unknown blocks are left out. */
interface Content {
  texts: EntryText[];
  calls: ToolCall[];
  results: ToolResult[];
}

/**
 * Returns the content of an entry in order: thinking, answers and tool calls of the assistant, or text and tool results of the
 * user.
 */
export function contentOf(entry: Entry): Content {
  const blocks = asObjects(messageBlocks(entry));
  const results = blocks.filter(({ type }) => type === "tool_result").map(readResult);
  const [only, ...others] = results;
  // The data that the client stores next to the message belongs to its only result.
  if (only && others.length === 0) Object.assign(only, returnedBy(entry.raw.toolUseResult));
  return { texts: entryTexts(entry), calls: blocks.filter(isToolUse).flatMap(callOf), results };
}

function callOf({ id, name, input }: JsonObject): ToolCall[] {
  const called = asString(name);
  return called === null ? [] : [tool.toolCall(TOOLS, asString(id), called, asObject(input))];
}

function readResult(fields: JsonObject): ToolResult {
  const isError = fields.is_error === true;
  const text = resultText(fields.content);
  return resultOf(asString(fields.tool_use_id), isError, isError ? failureReason(text) : text);
}

/** Returns the text of a tool result: a string, or the text blocks of a list. */
function resultText(body: unknown): string {
  if (typeof body === "string") return body;
  return asList(body)
    .map((block) => (typeof block === "string" ? block : asString(asObject(block)?.text)))
    .filter((text) => text !== null)
    .join("\n");
}

const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action right now)/;
const SAID = /the user said:\s*/i;
const WRAPPER = /^<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>|$)/;

/**
 * Returns the reason of a tool's failure without Claude Code's wrapping. For a refused call, returns the user's words, which may
 * be empty.
 */
function failureReason(output: string): string {
  const head = outputHead(output);
  const text = (WRAPPER.exec(head)?.[1] ?? head).trim();
  if (text.startsWith("[Request interrupted")) return "";
  if (!REJECTED.test(text)) return text;
  const said = SAID.exec(text);
  return said ? `Refused: ${text.slice(said.index + said[0].length)}` : "";
}

/** The parts of a call's result that belong to the conversation. */
type Returned = Pick<ToolResult, "answers" | "report" | "plan">;

const NOTHING_RETURNED: Returned = { answers: [], report: null, plan: null };

/** Reads the `toolUseResult` of an entry: answers to AskUserQuestion, an approved plan, or a subagent's report. */
function returnedBy(toolUseResult: unknown): Returned {
  const result = asObject(toolUseResult);
  if (result === null) return NOTHING_RETURNED;
  if (Array.isArray(result.questions)) return { ...NOTHING_RETURNED, answers: answersOf(result) };
  return { answers: [], report: reportOf(result), plan: asString(result.plan) };
}

function answersOf({ answers, annotations }: JsonObject): Answer[] {
  return Object.entries(asObject(answers) ?? {}).flatMap(([question, given]) => {
    const notes = asString(asObject(asObject(annotations)?.[question])?.notes);
    const answer = answerText(given);
    if (answer === null && notes === null) return [];
    // When a person types instead of choosing, the note repeats the answer.
    return {
      question,
      answer: answer ?? notes ?? "",
      notes: answer === null || notes === answer ? null : notes,
    };
  });
}

/** Returns the answer, or the list of chosen answers. */
function answerText(given: unknown): string | null {
  const chosen = asList(given).filter((each) => typeof each === "string");
  return asString(given) ?? asString(chosen.join(", "));
}

function reportOf(result: JsonObject): string | null {
  // Only a subagent's result counts the tools that it used.
  if (!("totalToolUseCount" in result)) return null;
  return asString(partTexts(result.content).join("\n\n"));
}

const RESULT = /<result>([\s\S]*?)(?:<\/result>|$)/;

/** Reads the notification of a subagent that worked in the background; null when it contains no report. */
export function notifiedReport(text: string): ToolResult | null {
  if (!text.startsWith("<task-notification>")) return null;
  const report = asString(RESULT.exec(text)?.[1]?.trim());
  if (report === null) return null;
  // The notification may come several turns after the call.
  return { ...resultOf(null, false, ""), report };
}

const notebook: tool.CallReader = (text) =>
  notebookCall(text("notebook_path"), text("cell_id"), text("edit_mode"));

export const TOOLS = tool.toolTable({
  Read: tool.fileReader("file_path"),
  Edit: (text) => fileCall(text("file_path")),
  Write: tool.fileReader("file_path"),
  MultiEdit: tool.fileReader("file_path"),
  NotebookEdit: notebook,
  NotebookRead: notebook,
  Grep: tool.searchReader,
  Glob: tool.searchReader,
  Bash: tool.shellReader,
  PowerShell: tool.powershellReader,
  Task: tool.subagentReader,
  Agent: ["Task", tool.subagentReader],
  Skill: (text) => skillCall(text("skill"), text("args")),
  WebFetch: tool.webFetch,
  web_fetch: tool.webFetch,
  WebSearch: tool.webSearch,
  web_search: tool.webSearch,
  AskUserQuestion: tool.dialogueReader,
  EnterPlanMode: tool.hiddenReader,
  // The plan counts as the assistant's text. In some versions only the result contains it.
  ExitPlanMode: (text) => (text("plan") === null ? DIALOGUE_CALL : HIDDEN_CALL),
  TodoWrite: tool.hiddenReader,
  TodoRead: tool.hiddenReader,
  TaskCreate: tool.hiddenReader,
  TaskUpdate: tool.hiddenReader,
  TaskList: tool.hiddenReader,
  TaskOutput: tool.hiddenReader,
  TaskStop: tool.hiddenReader,
  TaskGet: tool.hiddenReader,
});

import type { ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import { fileCall, skillCall } from "../../ingest/transcript/tools/call.ts";
import { type JsonObject, listOf, numberOf, objectOf, stringOf } from "../../io/json.ts";
import {
  bookkeeping,
  dialogue,
  file,
  powershell,
  search,
  shell,
  subagent,
  toolTable,
  webFetch,
  webSearch,
} from "../tool-table.ts";

export const TOOLS = toolTable({
  bash: ["Bash", shell],
  powershell: ["Bash", powershell],
  view: ["Read", file("path")],
  edit: ["Edit", file("path")],
  create: ["Write", file("path")],
  // The result contains the changes.
  apply_patch: bookkeeping,
  grep: ["Grep", search],
  rg: ["Grep", search],
  glob: ["Glob", search],
  task: ["Task", subagent],
  skill: ["Skill", (text) => skillCall(text("skill"), null)],
  web_fetch: ["WebFetch", webFetch],
  web_search: ["WebSearch", webSearch],
  ask_user: dialogue,
  report_intent: bookkeeping,
  update_todo: bookkeeping,
  read_bash: bookkeeping,
  write_bash: bookkeeping,
  stop_bash: bookkeeping,
  list_bash: bookkeeping,
  read_agent: bookkeeping,
  list_agents: bookkeeping,
});

/**
 * A call that returns words of the conversation: a question to the person, or a task of a subagent. It has no
 * summary.
 */
export interface Asked {
  question: string | null;
}

function answerIn(output: string): string {
  return output.replace(/^User (?:responded|selected|answered): /, "").trim();
}

/** The text that the client adds after the output of a shell. */
const SHELL_END = /\n?<(?:shellId: \S+ )?(?:completed|exited) with exit code -?\d+>\s*$/;

/** Reads the result of a call. A tool succeeds even if its command fails. */
export function resultOf(data: JsonObject, asked: Asked | null): ToolResult {
  const code = numberOf(objectOf(data.shellExecution)?.exitCode);
  const result = objectOf(data.result);
  const error = stringOf(objectOf(data.error)?.message) ?? stringOf(data.error);
  const output = error ?? stringOf(result?.content) ?? "";
  return {
    callId: stringOf(data.toolCallId),
    isError: data.success === false || (code !== null && code !== 0),
    text: output.replace(SHELL_END, ""),
    answers: asked?.question ? [{ question: asked.question, answer: answerIn(output), notes: null }] : [],
    report: asked !== null && asked.question === null ? stringOf(output) : null,
    plan: null,
  };
}

/** Returns the files that a call of any tool changed. */
export function editsOf(data: JsonObject): ToolCall[] {
  return listOf(data.fileEdits).flatMap((given) => {
    const edit = objectOf(given);
    const path = stringOf(edit?.path);
    return path === null
      ? []
      : { id: null, name: edit?.kind === "create" ? "Write" : "Edit", ...fileCall(path) };
  });
}

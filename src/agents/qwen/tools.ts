import { skillCall, webCall } from "../../ingest/transcript/tools/call.ts";
import {
  bookkeeping,
  conversation,
  file,
  list,
  search,
  shell,
  subagent,
  toolTable,
  webSearch,
} from "../tool-table.ts";

export const TOOLS = toolTable({
  read_file: ["Read", file("file_path", "absolute_path")],
  write_file: ["Write", file("file_path")],
  edit: ["Edit", file("file_path")],
  replace: ["Edit", file("file_path")],
  run_shell_command: ["Bash", shell],
  grep_search: ["Grep", search],
  search_file_content: ["Grep", search],
  glob: ["Glob", search],
  list_directory: ["Glob", list("path")],
  agent: ["Task", subagent],
  task: ["Task", subagent],
  skill: ["Skill", (text) => skillCall(text("skill"), text("args"))],
  web_fetch: ["WebFetch", (text) => webCall("url", text("url", "prompt"))],
  web_search: ["WebSearch", webSearch],
  ask_user_question: conversation,
  exit_plan_mode: bookkeeping,
  todo_write: bookkeeping,
  tool_search: bookkeeping,
  send_message: bookkeeping,
  task_stop: bookkeeping,
});

/** True for a call that starts a subagent. Its result is the subagent's report. */
export function startsSubagent(name: string): boolean {
  return name === "agent" || name === "task";
}

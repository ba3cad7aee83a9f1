import {
  BOOKKEEPING,
  CONVERSATION,
  editCall,
  notebookCall,
  skillCall,
} from "../../ingest/transcript/tools/call.ts";
import {
  bookkeeping,
  type CallReader,
  conversation,
  file,
  powershell,
  search,
  shell,
  subagent,
  toolTable,
  webFetch,
  webSearch,
} from "../tool-table.ts";

const notebook: CallReader = (text) =>
  notebookCall(text("notebook_path"), text("cell_id"), text("edit_mode"));

export const TOOLS = toolTable({
  Read: file("file_path"),
  Edit: (text) => editCall(text("file_path"), text("old_string"), text("new_string")),
  Write: file("file_path"),
  MultiEdit: file("file_path"),
  NotebookEdit: notebook,
  NotebookRead: notebook,
  Grep: search,
  Glob: search,
  Bash: shell,
  PowerShell: powershell,
  Task: subagent,
  Agent: ["Task", subagent],
  Skill: (text) => skillCall(text("skill"), text("args")),
  WebFetch: webFetch,
  web_fetch: webFetch,
  WebSearch: webSearch,
  web_search: webSearch,
  AskUserQuestion: conversation,
  EnterPlanMode: bookkeeping,
  // The plan counts as the assistant's text. In some versions only the result contains it.
  ExitPlanMode: (text) => (text("plan") === null ? CONVERSATION : BOOKKEEPING),
  TodoWrite: bookkeeping,
  TodoRead: bookkeeping,
  TaskCreate: bookkeeping,
  TaskUpdate: bookkeeping,
  TaskList: bookkeeping,
  TaskOutput: bookkeeping,
  TaskStop: bookkeeping,
  TaskGet: bookkeeping,
});

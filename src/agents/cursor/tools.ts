import { notebookCall, searchCall, shellCall } from "../../ingest/transcript/tools/call.ts";
import { type JsonObject, parseObject, stringOf } from "../../io/json.ts";
import {
  bookkeeping,
  type CallReader,
  dialogue,
  file,
  list,
  patch,
  subagent,
  toolTable,
  webFetch,
  webSearch,
} from "../tool-table.ts";

const touched = file("relativeWorkspacePath", "targetFile", "target_file", "path", "file_path", "filePath");
const shell: CallReader = (text) => shellCall(text("description", "explanation"), text("command"));
const folderOf = [
  "relativeWorkspacePath",
  "relative_workspace_path",
  "targetDirectory",
  "target_directory",
  "path",
];
const folder = list(...folderOf);
const grep: CallReader = (text) => searchCall(text("pattern", "query"), text("path"));
const glob: CallReader = (text) =>
  searchCall(text("globPattern", "glob_pattern", "pattern", "query"), text(...folderOf));
const semantic: CallReader = (text) => searchCall(text("query"), null);
const patched = patch("patch", "input");

/** The tools of the editor, in all its versions, and of the command line. */
export const TOOLS = toolTable({
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
    (text, input) => webSearch((...keys) => text("searchTerm", "search_term", ...keys), input),
  ],
  WebSearch: (text, input) => webSearch((...keys) => text("search_term", ...keys), input),
  web_fetch: ["WebFetch", webFetch],
  WebFetch: webFetch,
  task: ["Task", subagent],
  task_v2: ["Task", subagent],
  Task: subagent,
  ask_question: dialogue,
  AskQuestion: dialogue,
  todo_write: bookkeeping,
  TodoWrite: bookkeeping,
  todo_read: bookkeeping,
  create_plan: bookkeeping,
  CreatePlan: bookkeeping,
  update_current_step: bookkeeping,
  SwitchMode: bookkeeping,
});

/** Returns the arguments of a call of the editor: as the model gave them, and as the editor understood them. */
export function argumentsOf({ rawArgs, params }: JsonObject): JsonObject | null {
  const [given, understood] = [rawArgs, params].map((each) => parseObject(stringOf(each) ?? "") ?? null);
  return given || understood ? { ...given, ...understood } : null;
}

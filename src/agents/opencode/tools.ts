import { filesCall, searchCall, skillCall } from "../../transcript/tools/call.ts";
import { filesOfPatch } from "../../transcript/tools/patch.ts";
import {
  bookkeeping,
  type CallReader,
  conversation,
  file,
  search,
  shell,
  subagent,
  toolTable,
  webFetch,
  webSearch,
} from "../tool-table.ts";

const patch: CallReader = (text) => filesCall(filesOfPatch(text("patchText") ?? "").map(({ path }) => path));

export const TOOLS = toolTable({
  read: ["Read", file("filePath")],
  edit: ["Edit", file("filePath")],
  multiedit: ["Edit", file("filePath")],
  write: ["Write", file("filePath")],
  apply_patch: ["Edit", patch],
  patch: ["Edit", patch],
  bash: ["Bash", shell],
  grep: ["Grep", search],
  glob: ["Glob", search],
  list: ["Glob", (text) => searchCall(null, text("path"))],
  task: ["Task", subagent],
  webfetch: ["WebFetch", webFetch],
  websearch: ["WebSearch", webSearch],
  skill: ["Skill", (text) => skillCall(text("name"), null)],
  question: conversation,
  todowrite: bookkeeping,
  todoread: bookkeeping,
});

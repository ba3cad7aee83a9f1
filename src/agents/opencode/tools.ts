import { skillCall } from "../../ingest/transcript/tools/call.ts";
import {
  bookkeeping,
  dialogue,
  file,
  list,
  patch,
  search,
  shell,
  subagent,
  toolTable,
  webFetch,
  webSearch,
} from "../tool-table.ts";

export const TOOLS = toolTable({
  read: ["Read", file("filePath")],
  edit: ["Edit", file("filePath")],
  multiedit: ["Edit", file("filePath")],
  write: ["Write", file("filePath")],
  apply_patch: ["Edit", patch("patchText")],
  patch: ["Edit", patch("patchText")],
  bash: ["Bash", shell],
  grep: ["Grep", search],
  glob: ["Glob", search],
  list: ["Glob", list("path")],
  task: ["Task", subagent],
  webfetch: ["WebFetch", webFetch],
  websearch: ["WebSearch", webSearch],
  skill: ["Skill", (text) => skillCall(text("name"), null)],
  question: dialogue,
  todowrite: bookkeeping,
  todoread: bookkeeping,
});

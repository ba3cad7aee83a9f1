import { searchCall, shellCall, skillCall } from "../../ingest/transcript/tools/call.ts";
import { type JsonObject, listOf, stringOf } from "../../io/json.ts";
import {
  bookkeeping,
  type CallReader,
  dialogue,
  file,
  list,
  patch,
  search,
  subagent,
  toolTable,
  webFetch,
  webSearch,
} from "../tool-table.ts";

const touched = file("file_path", "path");
/** Droid searches for several patterns at once. */
const glob: CallReader = (text, input) =>
  searchCall(patternsIn(input) ?? text("pattern", "patterns"), text("folder", "path"));

export const TOOLS = toolTable({
  Read: touched,
  Edit: touched,
  MultiEdit: ["Edit", touched],
  Create: ["Write", touched],
  Write: touched,
  ApplyPatch: ["Edit", patch("input", "patch")],
  Execute: ["Bash", (text) => shellCall(text("summary", "description"), text("command"))],
  Grep: search,
  Glob: glob,
  LS: ["Glob", list("directory_path", "path")],
  Task: subagent,
  Skill: (text) => skillCall(text("skill", "name"), text("args")),
  FetchUrl: ["WebFetch", webFetch],
  WebSearch: webSearch,
  AskUser: dialogue,
  ExitSpecMode: bookkeeping,
  TodoWrite: bookkeeping,
  ToolSearch: bookkeeping,
});

function patternsIn({ patterns }: JsonObject): string | null {
  return stringOf(
    listOf(patterns)
      .filter((each) => typeof each === "string")
      .join(", "),
  );
}

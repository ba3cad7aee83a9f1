import {
  fileCall,
  searchCall,
  shellCall,
  subagentCall,
  webCall,
} from "../../ingest/transcript/tools/call.ts";
import { type JsonObject, listOf, objectOf, objectsOf, parseObject, stringOf } from "../../io/json.ts";
import { bookkeeping, type CallReader, dialogue, toolTable } from "../tool-table.ts";

/** Some paths are addresses of files. */
const path = (given: string | null) => given?.replace(/^file:\/\//, "") ?? null;
const target: CallReader = (text) => fileCall(path(text("TargetFile", "AbsolutePath")));

export const TOOLS = toolTable({
  view_file: ["Read", target],
  write_to_file: ["Write", target],
  replace_file_content: ["Edit", target],
  multi_replace_file_content: ["Edit", target],
  run_command: ["Bash", (text) => shellCall(text("toolSummary"), text("CommandLine"))],
  grep_search: ["Grep", (text) => searchCall(text("Query"), path(text("SearchPath")))],
  list_dir: ["Glob", (text) => searchCall(null, path(text("DirectoryPath")))],
  search_web: ["WebSearch", (text) => webCall("query", text("Query", "query"))],
  read_url_content: ["WebFetch", (text) => webCall("url", text("Url", "url"))],
  invoke_subagent: ["Task", (_, input) => firstSubagent(input)],
  ask_question: dialogue,
  ask_permission: bookkeeping,
  list_permissions: bookkeeping,
  manage_task: bookkeeping,
  define_subagent: bookkeeping,
  send_message: bookkeeping,
  schedule: bookkeeping,
});

function firstSubagent({ Subagents }: JsonObject) {
  const [first] = objectsOf(Subagents);
  return {
    ...subagentCall(stringOf(first?.Role) ?? stringOf(first?.TypeName), stringOf(first?.Prompt)),
    returnsWords: false,
  };
}

/** What every call says of itself. */
const LABELS: ReadonlySet<string> = new Set(["toolAction", "toolSummary"]);

/** Returns the arguments of a call. A short transcript has each of them as JSON in a text. */
export function argumentsOf({ name, args }: JsonObject, isShort: boolean): JsonObject | null {
  const given = objectOf(args);
  if (given === null) return null;
  const isKnown = TOOLS.has(stringOf(name) ?? "");
  const wanted = Object.entries(given).filter(([key]) => isKnown || !LABELS.has(key));
  return Object.fromEntries(wanted.map(([key, value]) => [key, isShort ? unwrapped(value) : value]));
}

function unwrapped(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const whole = parseObject(`{"value":${value}}`);
  return whole ? whole.value : value;
}

/** Returns the directory in which a call worked: its own, or that of its file. */
export function directoryOf(args: JsonObject | null): string | null {
  const cwd = path(stringOf(args?.Cwd));
  if (cwd !== null) return cwd;
  const file = path(stringOf(args?.TargetFile) ?? stringOf(args?.AbsolutePath));
  const end = file?.lastIndexOf("/") ?? -1;
  return file !== null && end > 0 ? file.slice(0, end) : null;
}

/** Returns the questions of a call to the user. */
export function questionsIn(args: JsonObject | null): string[] {
  return listOf(args?.Questions ?? args?.questions).flatMap((each) => {
    const fields = objectOf(each);
    return stringOf(each) ?? stringOf(fields?.Question) ?? stringOf(fields?.question) ?? [];
  });
}

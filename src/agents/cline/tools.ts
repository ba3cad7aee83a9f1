import type { ToolCall } from "../../transcript/events.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../transcript/json.ts";
import {
  BOOKKEEPING,
  type CallContent,
  CONVERSATION,
  fileCall,
  filesCall,
  otherCall,
  searchCall,
  shellCall,
  skillCall,
  subagentCall,
  webCall,
} from "../../transcript/tools/call.ts";
import { filesOfPatch } from "../../transcript/tools/patch.ts";

type Named = readonly [name: string, content: CallContent];
/** Returns the content of a call: several calls if it takes several files, commands or questions at once. */
type Reader = (input: JsonObject) => readonly Named[];

/** Models may pass a list as a single value, and an object as its main value. The client accepts all of these. */
const TOOLS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    read_files: (input) =>
      texts(input, ["files", "file_paths", "paths", "path", "file_path", "filePath"]).map((path) => [
        "Read",
        fileCall(path),
      ]),
    search_codebase: (input) => texts(input, ["queries"]).map((query) => ["Grep", searchCall(query, null)]),
    run_commands: (input) =>
      texts(input, ["commands", "command", "cmd"]).map((command) => ["Bash", shellCall(null, command)]),
    editor: (input) => {
      const isEdit = stringOf(input.old_text) !== null || typeof input.insert_line === "number";
      return [[isEdit ? "Edit" : "Write", fileCall(stringOf(input.path))]];
    },
    apply_patch: ({ input }) => [
      ["Edit", filesCall(filesOfPatch(stringOf(input) ?? "").map(({ path }) => path))],
    ],
    fetch_web_content: (input) => texts(input, ["requests"]).map((url) => ["WebFetch", webCall("url", url)]),
    skills: (input) => [["Skill", skillCall(stringOf(input.skill), stringOf(input.args))]],
    spawn_agent: (input) => [["Task", subagentCall(null, stringOf(input.task))]],
    ask_question: () => [["ask_question", CONVERSATION]],
    // The summary counts as the assistant's text.
    submit_and_exit: () => [["submit_and_exit", BOOKKEEPING]],
  } satisfies Record<string, Reader>),
);

/** Returns the calls that one call of Cline stands for; see `callId` for their ids. */
export function toolCalls(id: string | null, name: string, input: JsonObject): ToolCall[] {
  const named: readonly Named[] = TOOLS.get(name)?.(input) ?? [
    [name, name.startsWith("team_") ? BOOKKEEPING : otherCall(input)],
  ];
  return named.map(([each, content], index) => ({ id: callId(id, index), name: each, ...content }));
}

/** Returns the id of one of the calls that a call stands for. Its result has the same index in the list of results. */
export function callId(id: string | null, index: number): string | null {
  return id === null ? null : `${id}#${index}`;
}

/** Returns the texts of the first key that has any: a text, a list of texts, or objects with a main value. */
function texts(input: JsonObject, keys: readonly string[]): string[] {
  for (const key of keys) {
    const value = input[key];
    const found = (Array.isArray(value) ? listOf(value) : [value]).flatMap((each) => textOf(each) ?? []);
    if (found.length > 0) return found;
  }
  return [];
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return stringOf(value);
  const fields = objectOf(value);
  const command = stringOf(fields?.command);
  if (command !== null) return [command, ...listOf(fields?.args)].join(" ");
  const names = ["path", "file_path", "filePath", "url", "query"];
  return names.reduce<string | null>((found, name) => found ?? stringOf(fields?.[name]), null);
}

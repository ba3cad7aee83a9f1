import type { FileMention } from "../../../domain.ts";
import { urlsIn } from "../../../text/urls.ts";
import { commandPaths } from "../../../transcript/tools/command-paths.ts";
import { inputText } from "../../../transcript/tools/values.ts";
import type { ToolUse } from "../content.ts";

/** Paths or URLs as a tool was given them. */
interface Given {
  resources: readonly string[];
  isUrl: boolean;
}

const NOTHING: Given = { resources: [], isUrl: false };

const PATH_KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Read: "file_path",
    Edit: "file_path",
    Write: "file_path",
    MultiEdit: "file_path",
    NotebookEdit: "notebook_path",
    NotebookRead: "notebook_path",
    Grep: "path",
    Glob: "path",
  }),
);

const URL_KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    WebFetch: "url",
    WebSearch: "query",
    web_fetch: "url",
    web_search: "query",
  }),
);

function given({ name, input }: ToolUse): Given {
  if (name === "Bash") {
    const command = inputText(input, "command");
    return command === null ? NOTHING : { resources: commandPaths(command), isUrl: false };
  }
  const pathKey = PATH_KEYS.get(name);
  const path = pathKey === undefined ? null : inputText(input, pathKey);
  if (path !== null) return { resources: [path], isUrl: false };
  const urlKey = URL_KEYS.get(name);
  const url = urlKey === undefined ? null : inputText(input, urlKey);
  return url === null ? NOTHING : { resources: urlsIn(url), isUrl: true };
}

/** Returns what a tool call touched: paths in their stored form, URLs as they are. */
export function toolMentions(
  use: ToolUse,
  stored: (path: string) => string | null,
  clean: (text: string) => string,
): FileMention[] {
  const mentions: FileMention[] = [];
  const { resources, isUrl } = given(use);
  for (const resource of resources) {
    const filePath = isUrl ? clean(resource) : stored(resource);
    if (filePath !== null && filePath !== "") mentions.push({ filePath, toolName: use.name });
  }
  return mentions;
}

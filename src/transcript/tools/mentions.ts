import type { FileMention } from "../../domain.ts";
import { urlsIn } from "../../text/urls.ts";
import type { ToolUse } from "../content.ts";
import { commandPaths } from "./command-paths.ts";
import { inputText } from "./values.ts";

/** A path or URL as a tool was given it. */
interface Given {
  resource: string;
  isUrl: boolean;
}

const PATH_KEYS: Readonly<Record<string, string>> = {
  Read: "file_path",
  Edit: "file_path",
  Write: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
  NotebookRead: "notebook_path",
  Grep: "path",
  Glob: "path",
};

const URL_KEYS: Readonly<Record<string, string>> = {
  WebFetch: "url",
  WebSearch: "query",
  web_fetch: "url",
  web_search: "query",
};

function given({ name, input }: ToolUse): Given[] {
  if (name === "Bash") {
    const command = inputText(input, "command");
    return command === null ? [] : commandPaths(command).map((resource) => ({ resource, isUrl: false }));
  }
  const pathKey = Object.hasOwn(PATH_KEYS, name) ? PATH_KEYS[name] : undefined;
  const path = pathKey === undefined ? null : inputText(input, pathKey);
  const urlKey = Object.hasOwn(URL_KEYS, name) ? URL_KEYS[name] : undefined;
  const url = urlKey === undefined ? null : inputText(input, urlKey);
  return [
    ...(path === null ? [] : [{ resource: path, isUrl: false }]),
    ...(url === null ? [] : urlsIn(url).map((resource) => ({ resource, isUrl: true }))),
  ];
}

/** Returns what a tool call touched: paths in their stored form, URLs as they are. */
export function toolMentions(
  use: ToolUse,
  stored: (path: string) => string | null,
  clean: (text: string) => string,
): FileMention[] {
  return given(use).flatMap(({ resource, isUrl }) => {
    const filePath = isUrl ? clean(resource) : stored(resource);
    return filePath === null || filePath === "" ? [] : [{ filePath, toolName: use.name }];
  });
}

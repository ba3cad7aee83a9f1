import { TOOL_LIMITS } from "../../constants.ts";
import type { FileMention } from "../../domain.ts";
import { cleanHead } from "../../redact/clean.ts";
import { urlsIn } from "../../text/urls.ts";
import type { ToolCall } from "../events.ts";
import { commandPaths } from "./command-paths.ts";

/** Returns the resources that a tool call touched: paths in their stored form, and URLs. */
export function toolMentions(
  { name, paths, command, web }: ToolCall,
  stored: (path: string) => string | null,
  clean: (text: string) => string,
): FileMention[] {
  const mentions: FileMention[] = [];
  for (const path of command === null
    ? paths
    : [...paths, ...commandPaths(cleanHead(command, TOOL_LIMITS.commandChars, clean))]) {
    const filePath = stored(path);
    if (filePath !== null && filePath !== "") mentions.push({ filePath, toolName: name });
  }
  for (const url of web === null ? [] : urlsIn(web)) {
    const filePath = clean(url);
    if (filePath !== "") mentions.push({ filePath, toolName: name });
  }
  return mentions;
}

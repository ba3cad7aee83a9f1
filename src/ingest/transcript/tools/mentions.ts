import { TOOL_LIMITS } from "../../../constants.ts";
import type { FileMention } from "../../../domain.ts";
import { cleanHead } from "../../../redact/clean.ts";
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

const URL = /\bhttps?:\/\/[^\s<>"'`\\^{}|]+/gi;

/** Returns the web addresses in a text, in order, without trailing punctuation and closing brackets. */
export function urlsIn(text: string): string[] {
  if (!text.includes("://")) return [];
  return Array.from(text.matchAll(URL), ([found]) => trimUrl(found)).filter(
    (url) => url.length > "https://".length,
  );
}

function trimUrl(found: string): string {
  let url = found.replace(/(?<![.,;:!?*_])[.,;:!?*_]+$/, "");
  // A closing bracket belongs to the address only when it was opened inside it.
  while (/[)\]]$/.test(url) && !opens(url)) url = url.slice(0, -1).replace(/(?<![.,;:!?])[.,;:!?]+$/, "");
  return url;
}

function opens(url: string): boolean {
  const [open, close] = url.endsWith(")") ? ["(", ")"] : ["[", "]"];
  return url.split(open).length >= url.split(close).length;
}

import { posix } from "node:path";
import { TOOL_LIMITS } from "../../../constants.ts";
import type { FileMention } from "../../../domain.ts";
import { looksLikeFileName } from "../../../text/identifiers.ts";
import type { ToolCall } from "../events.ts";
import { type ShellCommand, type ShellWord, shellCommands } from "./shell-words.ts";
import { cleanHead } from "./values.ts";

/** Commands whose arguments are not paths, or whose first argument is a program in another language. */
const WORDS_ONLY = new Set([
  "echo",
  "printf",
  "export",
  "alias",
  "kill",
  "sleep",
  "which",
  "type",
  "curl",
  "wget",
  "ssh",
]);
const SCRIPT_FIRST = new Set(["sed", "awk", "gawk", "perl", "jq", "grep", "egrep", "rg", "ag"]);
const INLINE_CODE = new Set(["-c", "-e", "-m", "--eval", "--message", "--body", "--title", "--jq"]);
const PREFIXES = new Set([
  "sudo",
  "env",
  "time",
  "nohup",
  "command",
  "exec",
  "xargs",
  "nice",
  "then",
  "do",
  "else",
  "!",
  "{",
  "if",
  "while",
]);
const CHANGES_DIRECTORY = /^(?:cd|set-location)$/i;
const NOT_FILES = /^(?:\/dev\/|\/proc\/|\/usr\/bin\/|\/bin\/|\/usr\/local\/bin\/)/;

/** Returns the paths in a shell command, as written, or joined to the directory of an earlier `cd`. */
export function commandPaths(command: string): string[] {
  const paths = new Set<string>();
  let directory = "";
  for (const simple of shellCommands(command.slice(0, TOOL_LIMITS.commandChars))) {
    const words = withoutPrefixes(simple);
    const target = CHANGES_DIRECTORY.test(words[0]?.text ?? "") ? words[1] : undefined;
    if (target) directory = isLiteral(target.text) ? joined(directory, target.text) : directory;
    else for (const path of pathsOf(words)) paths.add(joined(directory, path));
    if (paths.size >= TOOL_LIMITS.mentionsPerCommand) break;
  }
  return [...paths].slice(0, TOOL_LIMITS.mentionsPerCommand);
}

function joined(directory: string, path: string): string {
  if (directory === "" || /^(?:\/|~|[A-Za-z]:[\\/])/.test(path)) return path;
  return directory.startsWith("~") ? `${directory.replace(/\/$/, "")}/${path}` : posix.join(directory, path);
}

/** Returns the words from the program's name on, without assignments, `sudo` and the like. */
function withoutPrefixes({ words }: ShellCommand): ShellWord[] {
  const start = words.findIndex(({ text }) => !PREFIXES.has(text) && !/^\w+=/.test(text));
  return start < 0 ? [] : words.slice(start);
}

function pathsOf(words: readonly ShellWord[]): string[] {
  const [program, ...rest] = words;
  if (!program) return [];
  const name = fileName(program.text);
  const found = /^\.{0,2}\//.test(program.text) && isPath(program) ? [program.text] : [];
  if (WORDS_ONLY.has(name))
    return [...found, ...rest.filter((word) => word.redirect && isPath(word)).map(pathText)];
  let scriptPending = SCRIPT_FIRST.has(name);
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i];
    if (!word) continue;
    if (INLINE_CODE.has(word.text)) {
      i++;
      scriptPending = false;
    } else if (scriptPending && !word.text.startsWith("-") && !word.redirect) scriptPending = false;
    else if (isPath(word)) found.push(pathText(word));
  }
  return found;
}

/** Returns the path in `--flag=path` and `revision:path`, without a line number. */
function pathText({ text }: ShellWord): string {
  const value = text.startsWith("-") ? text.slice(text.indexOf("=") + 1) : text;
  const afterRevision = /^[\w@^~./-]+:(?=[\w.])/.exec(value)?.[0];
  const isDrive = /^[A-Za-z]:[\\/]/.test(value);
  const path =
    afterRevision === undefined || isDrive || /:\d+/.test(value) ? value : value.slice(afterRevision.length);
  return path.replace(/:\d+(?::\d+)?$/, "");
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function isLiteral(text: string): boolean {
  return text !== "-" && !/[$*?`{}[\]!]/.test(text);
}

function isPath(word: ShellWord): boolean {
  // A quick check that rules out most words.
  if (!/[./\\]/.test(word.text) && !looksLikeFileName(word.text)) return false;
  if (word.text.startsWith("-") && !word.text.includes("=")) return false;
  const text = pathText(word);
  if (text === "" || text.length > TOOL_LIMITS.pathChars || !isLiteral(text)) return false;
  if (/[\n"'<>|;,()=%]/.test(text) || text.includes("://") || NOT_FILES.test(text)) return false;
  if (/^@|^[\w.+-]+@[\w-]/.test(text)) return false;
  if (/\s/.test(text) && !word.quoted) return false;
  const isExplicit = /^(?:\.{1,2}\/|~\/|\/|[A-Za-z]:[\\/])/.test(text);
  if (isExplicit) return /[\w\u0080-\uffff]/.test(text);
  const isHost = /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app)(?:\/|$)/.test(text);
  return !isHost && looksLikeFileName(fileName(text));
}

/** Returns the resources of a tool call: paths in their stored form, and URLs. */
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
  for (const url of web === null ? [] : findUrls(web)) {
    const filePath = clean(url);
    if (filePath !== "") mentions.push({ filePath, toolName: name });
  }
  return mentions;
}

const URL = /\bhttps?:\/\/[^\s<>"'`\\^{}|]+/gi;

/** Returns the web addresses in a text, in order, without trailing punctuation and closing brackets. */
export function findUrls(text: string): string[] {
  if (!text.includes("://")) return [];
  return Array.from(text.matchAll(URL), ([found]) => trimUrl(found)).filter(
    (url) => url.length > "https://".length,
  );
}

function trimUrl(found: string): string {
  let url = found.replace(/(?<![.,;:!?*_])[.,;:!?*_]+$/, "");
  // A closing bracket belongs to the address only if it was opened inside.
  while (/[)\]]$/.test(url) && !opens(url)) url = url.slice(0, -1).replace(/(?<![.,;:!?])[.,;:!?]+$/, "");
  return url;
}

function opens(url: string): boolean {
  const [open, close] = url.endsWith(")") ? ["(", ")"] : ["[", "]"];
  return url.split(open).length >= url.split(close).length;
}

import type { ToolCall } from "../ingest/transcript/events.ts";
import {
  type CallContent,
  DIALOGUE_CALL,
  fileCall,
  filesOfPatch,
  HIDDEN_CALL,
  multiFileCall,
  otherCall,
  searchCall,
  shellCall,
  subagentCall,
  webCall,
} from "../ingest/transcript/tools/call.ts";
import { asString, type JsonObject } from "../io/json.ts";
import { onOneLine } from "../text/lines.ts";

/** Returns the first non-empty text among these arguments of a call; null when there is none. */
type TextArgument = (...keys: string[]) => string | null;

/** Returns the stored content of a call from its arguments. */
export type CallReader = (text: TextArgument, input: JsonObject) => CallContent;

/** A reader alone if the tool keeps its own name, or with the common name of its kind: see `ToolCall.name`. */
export type Tool = CallReader | readonly [name: string | ((input: JsonObject) => string), read: CallReader];

/** The tools of an agent, by the names that its model uses. */
export type ToolTable = ReadonlyMap<string, Tool>;

export function toolTable(tools: Readonly<Record<string, Tool>>): ToolTable {
  return new Map(Object.entries(tools));
}

/**
 * Returns a call of one of an agent's tools. Any other tool keeps its name, on one line, and shows its first short arguments.
 * `input` is null when it is missing or not an object.
 */
export function toolCall(
  tools: ToolTable,
  id: string | null,
  givenName: string,
  input: JsonObject | null,
): ToolCall {
  const given = onOneLine(givenName);
  const tool = tools.get(given);
  if (tool === undefined) return { id, name: given, ...otherCall(input) };
  const fields = input ?? {};
  const [kind, read] = typeof tool === "function" ? [given, tool] : tool;
  const name = typeof kind === "string" ? kind : kind(fields);
  return { id, name, ...read((...keys) => firstText(fields, keys), fields) };
}

function firstText(input: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const found = asString(input[key]);
    if (found !== null) return found;
  }
  return null;
}

/** Reads a call that touches one file, with the path in the first of these arguments. */
export function fileReader(...keys: string[]): CallReader {
  return (text) => fileCall(text(...keys));
}

/** Reads a call that changes files, with the patch in the first of these arguments. */
export function patchReader(...keys: string[]): CallReader {
  return (text) => multiFileCall(filesOfPatch(text(...keys) ?? "").map(({ path }) => path));
}

/** Reads a call that lists a directory, with the path in the first of these arguments. */
export function listReader(...keys: string[]): CallReader {
  return (text) => searchCall(null, text(...keys));
}

/** Readers of calls with the usual argument names. */
export const searchReader: CallReader = (text) => searchCall(text("pattern"), text("path"));
export const shellReader: CallReader = (text) => shellCall(text("description"), text("command"));
/** Reads a PowerShell command, in which `\\` is a path separator and not an escape. */
export const powershellReader: CallReader = (text) => {
  const command = text("command");
  return {
    ...shellCall(text("description"), command),
    command: command?.replace(/(?<=[\w.:~])\\(?=[\w.])/g, "/") ?? null,
  };
};
export const subagentReader: CallReader = (text) => subagentCall(text("description"), text("prompt"));
export const webFetch: CallReader = (text) => webCall("url", text("url"));
export const webSearch: CallReader = (text) => webCall("query", text("query"));
/** Reads a call that is not shown. */
export const hiddenReader: CallReader = () => HIDDEN_CALL;
/** Reads a call that talks to the user. */
export const dialogueReader: CallReader = () => DIALOGUE_CALL;

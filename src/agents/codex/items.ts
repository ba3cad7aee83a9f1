import type { Message, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import { MAX_PATCHED_FILES, type PatchedFile } from "../../ingest/transcript/tools/call.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../io/json.ts";
import { typedIn } from "../notices.ts";
import { plainResult, textsOf } from "./output.ts";
import { changeCalls, commandCall, mcpCall, webSearchCall } from "./tools.ts";

/** What a completed item adds: text, or calls with their results. */
export interface ItemContent {
  message: Message;
  results: readonly ToolResult[];
}

/** Reads an item of the newer format of a rollout. Null for kinds that are skipped. */
export function itemContent(item: JsonObject): ItemContent | null {
  const id = stringOf(item.id);
  switch (item.type) {
    case "UserMessage":
      return said(userMessage(item));
    case "AgentMessage":
      return said(words(textsOf(item.content), false));
    case "Plan":
      return said(words(stringOf(item.text) ?? "", false));
    case "ExitedReviewMode":
      return said(words(stringOf(item.review) ?? "", false));
    case "Reasoning":
      return said(words(strings(item.summary_text).join("\n\n"), true));
    case "CommandExecution":
      return done([commandCall(id, listOf(item.command))], [commandResult(id, item)]);
    case "FileChange":
      return done(changeCalls(id, filesOfChanges(objectOf(item.changes))), changeResults(id, item));
    case "McpToolCall":
      return done([mcpItem(id, item)], mcpResults(id, item));
    case "WebSearch":
      return done([webSearchCall(id, stringOf(item.query))], []);
    default:
      return null;
  }
}

function said(message: Message): ItemContent {
  return { message, results: [] };
}

function done(calls: readonly ToolCall[], results: readonly ToolResult[]): ItemContent {
  return { message: { kind: "work", texts: [], calls }, results };
}

export function userMessage({ content }: JsonObject): Message {
  return promptOf(textsOf(content));
}

/** Codex writes a separate record for a typed prompt, without other text. */
export function promptOf(text: string): Message {
  const typed = typedIn(text);
  if (typed === "") return { kind: "skipped", reason: "no_text" };
  return { kind: "prompt", text: typed, isQueued: false };
}

export function words(text: string, isThinking: boolean): Message {
  if (text.trim() === "") return { kind: "skipped", reason: "no_text" };
  return { kind: "work", texts: [{ text, isThinking }], calls: [] };
}

function commandResult(
  id: string | null,
  { exit_code: code, status, aggregated_output: output }: JsonObject,
) {
  const isError = typeof code === "number" ? code !== 0 : status === "failed";
  return plainResult(id, isError, stringOf(output) ?? "");
}

function changeResults(id: string | null, { status, stderr, stdout }: JsonObject): ToolResult[] {
  return status === "failed" ? [plainResult(id, true, stringOf(stderr) ?? stringOf(stdout) ?? "")] : [];
}

function mcpItem(id: string | null, { server, tool, arguments: args }: JsonObject): ToolCall {
  return mcpCall(id, stringOf(server) ?? "", stringOf(tool) ?? "", objectOf(args));
}

function mcpResults(id: string | null, { status, error }: JsonObject): ToolResult[] {
  const reason = stringOf(error) ?? stringOf(objectOf(error)?.message) ?? "";
  return status === "failed" ? [plainResult(id, true, reason)] : [];
}

function strings(value: unknown): string[] {
  return listOf(value).filter((text) => typeof text === "string");
}

/** Finds the files in the changes that Codex records after a patch: `{path: {type, move_path}}`. */
export function filesOfChanges(changes: JsonObject | null): PatchedFile[] {
  return Object.entries(changes ?? {})
    .slice(0, MAX_PATCHED_FILES)
    .flatMap(([path, given]) => {
      const change = objectOf(given);
      const moved = stringOf(change?.move_path);
      const file = { path, isNew: change?.type === "add" };
      return moved === null ? [file] : [file, { path: moved, isNew: true }];
    });
}

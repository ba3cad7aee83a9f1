import type { Message, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import { MAX_PATCHED_FILES, type PatchedFile } from "../../ingest/transcript/tools/call.ts";
import { asList, asNumber, asObject, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { partTexts, resultOf, typedPrompt } from "../conversation.ts";
import { typedText } from "../notices.ts";
import { changeCalls, commandCall, mcpCall, webSearchCall } from "./tools.ts";

/** The content of a completed item: text, or calls with their results. */
export interface ItemContent {
  message: Message;
  results: readonly ToolResult[];
}

/** Reads an item in the newer format of a rollout. Null for kinds that are skipped. */
export function itemContent(item: JsonObject): ItemContent | null {
  const id = asString(item.id);
  switch (item.type) {
    case "UserMessage":
      return said(userMessage(item));
    case "AgentMessage":
      return said(textMessage(joinParts(item.content), false));
    case "Plan":
      return said(textMessage(asString(item.text) ?? "", false));
    case "ExitedReviewMode":
      return said(textMessage(asString(item.review) ?? "", false));
    case "Reasoning":
      return said(textMessage(strings(item.summary_text).join("\n\n"), true));
    case "CommandExecution":
      return done([commandCall(id, asList(item.command))], [commandResult(id, item)]);
    case "FileChange":
      return done(changeCalls(id, filesOfChanges(asObject(item.changes))), changeResults(id, item));
    case "McpToolCall":
      return done([mcpItem(id, item)], mcpResults(id, item));
    case "WebSearch":
      return done([webSearchCall(id, asString(item.query))], []);
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

function userMessage({ content }: JsonObject): Message {
  return promptMessage(joinParts(content));
}

/** Returns the message of a typed prompt, for which Codex writes a separate record without other text. */
export function promptMessage(text: string): Message {
  return typedPrompt(typedText(text));
}

export function textMessage(text: string, isThinking: boolean): Message {
  if (text.trim() === "") return { kind: "skipped", reason: "no_text" };
  return { kind: "work", texts: [{ text, isThinking }], calls: [] };
}

function commandResult(
  id: string | null,
  { exit_code: code, status, aggregated_output: output }: JsonObject,
) {
  const isError = typeof code === "number" ? code !== 0 : status === "failed";
  return resultOf(id, isError, asString(output) ?? "");
}

function changeResults(id: string | null, { status, stderr, stdout }: JsonObject): ToolResult[] {
  return status === "failed" ? [resultOf(id, true, asString(stderr) ?? asString(stdout) ?? "")] : [];
}

function mcpItem(id: string | null, { server, tool, arguments: args }: JsonObject): ToolCall {
  return mcpCall(id, asString(server) ?? "", asString(tool) ?? "", asObject(args));
}

function mcpResults(id: string | null, { status, error }: JsonObject): ToolResult[] {
  const reason = asString(error) ?? asString(asObject(error)?.message) ?? "";
  return status === "failed" ? [resultOf(id, true, reason)] : [];
}

function strings(value: unknown): string[] {
  return asList(value).filter((text) => typeof text === "string");
}

/** Finds the files in the changes that Codex records after a patch: `{path: {type, move_path}}`. */
export function filesOfChanges(changes: JsonObject | null): PatchedFile[] {
  return Object.entries(changes ?? {})
    .slice(0, MAX_PATCHED_FILES)
    .flatMap(([path, given]) => {
      const change = asObject(given);
      const moved = asString(change?.move_path);
      const file = { path, isNew: change?.type === "add" };
      return moved === null ? [file] : [file, { path: moved, isNew: true }];
    });
}

/** Text that Codex adds before the output of a command: its duration and exit code. */
const HEADER =
  /^(?:(?:Chunk ID|Wall time|Process exited|Process running|Original token count|Exit code|Total output lines)\b.*\n?)+(?:Output:\n?)?/;
const CODE = /^(?:Process exited with code|Exit code:) (-?\d+)/m;
/** Start of the output of a command that did not run, or that a person stopped. */
const FAILED =
  /^(?:apply_patch verification failed|failed to parse|execution error|exec_command failed|unsupported call|err: |error: )/i;

/** The item of a patch contains only the reason. */
const UNMATCHED = /^apply_patch verification failed: /;

/** Reads the output of a call: a text, or a list of parts. */
export function readResult(callId: string | null, output: unknown): ToolResult {
  const given = textOf(output);
  const wrapped = given.startsWith('{"output"') ? parseObject(given) : null;
  const text = wrapped ? (asString(wrapped.output) ?? "") : given;
  const header = HEADER.exec(text)?.[0] ?? "";
  const code = wrapped ? asNumber(asObject(wrapped.metadata)?.exit_code) : codeIn(header);
  const isError = code === null ? FAILED.test(text) : code !== 0;
  const shown = text.slice(header.length).replace(UNMATCHED, "");
  return { ...resultOf(callId, isError, shown), report: reportIn(given) };
}

/** Returns the report of a subagent as a result. */
function reported(report: string): ToolResult {
  return { ...resultOf(null, false, ""), report };
}

function codeIn(header: string): number | null {
  const code = CODE.exec(header)?.[1];
  return code === undefined ? null : Number(code);
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  const content = asObject(output)?.content ?? output;
  if (typeof content === "string") return content;
  return partTexts(content).join("\n");
}

/** Returns the reports of subagents in the output of `wait_agent`: `{"status": {"<thread>": {"completed": "..."}}}`. */
function reportIn(text: string): string | null {
  if (!text.startsWith('{"status"')) return null;
  const status = asObject(parseObject(text)?.status);
  const reports = Object.values(status ?? {}).flatMap((state) => asString(asObject(state)?.completed) ?? []);
  return asString(reports.join("\n\n"));
}

/** Joins the texts of a list of parts. Images and files have none. */
export function joinParts(content: unknown): string {
  return partTexts(content).join("\n\n");
}

/** Tells whether a text is the client's description of surroundings and rules, written in the user's name. */
export function isInjectedContext(text: string): boolean {
  return /^\s*<(?:environment_context|user_instructions|permissions instructions|turn_aborted)>|^# AGENTS\.md instructions/.test(
    text,
  );
}

const PAYLOAD = /^[\s\S]*?\nPayload:\n/;

/**
 * Reads a message from one agent to another. A task for this subagent is its prompt, and an answer to it is a report. An
 * encrypted message has no spaces, and is skipped.
 */
export function agentMessage(payload: JsonObject, agentPath: string | null): Message {
  const text = asList(payload.content)
    .map((part) => asObject(part))
    .map((part) => asString(part?.text) ?? plain(asString(part?.encrypted_content)))
    .filter((part) => part !== null)
    .join("");
  const said = text.replace(PAYLOAD, "").trim();
  if (said === "") return { kind: "skipped", reason: "agent_message" };
  if (text.startsWith("Message Type: NEW_TASK")) {
    if (agentPath === null || payload.recipient !== agentPath)
      return { kind: "skipped", reason: "agent_message" };
    return { kind: "prompt", text: said, isQueued: false };
  }
  return { kind: "results", results: [reported(said)], said: null };
}

function plain(text: string | null): string | null {
  return text !== null && /\s/.test(text) ? text : null;
}

/** The paragraph that Codex puts before the summary of a compaction. */
const PREAMBLE =
  /^Another language model started to solve this problem[\s\S]*?(?:your own analysis|summary):\s*/;

/** Returns the summary of a compaction as the model wrote it. */
export function readSummary(message: unknown): string | null {
  return typeof message === "string" ? asString(message.replace(PREAMBLE, "").trim()) : null;
}

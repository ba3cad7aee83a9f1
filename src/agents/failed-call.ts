import type { ToolCall } from "../ingest/transcript/events.ts";
import type { JsonObject } from "../io/json.ts";
import { failureReason, TOOLS } from "./claude-code/content.ts";
import { type ToolTable, toolCall } from "./tool-table.ts";

/** The tools of the other agents that have a hook after a failure. */
const OTHERS: Readonly<Record<string, () => Promise<{ TOOLS: ToolTable }>>> = {
  copilot: () => import("./copilot.ts"),
  cursor: () => import("./cursor/messages.ts"),
  qwen: () => import("./qwen.ts"),
};

/**
 * Returns a call of an agent's tool that failed as a hook tells of it, and why it failed. A call of an unknown tool
 * with a command runs that.
 */
export async function failedCall(
  client: string,
  name: string,
  input: JsonObject,
  error: string,
): Promise<{ call: ToolCall; reason: string }> {
  const tools = (await OTHERS[client]?.())?.TOOLS ?? TOOLS;
  const known = toolCall(tools, null, name, input);
  const { command } = input;
  const isShell = known.command === null && typeof command === "string";
  return { call: isShell ? { ...known, command } : known, reason: failureReason(error) };
}

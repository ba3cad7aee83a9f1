import type { ToolCall } from "../transcript/events.ts";
import type { JsonObject } from "../transcript/json.ts";
import { failureReason } from "./claude-code/content.ts";
import { TOOLS } from "./claude-code/tools.ts";
import { toolCall } from "./tool-table.ts";

/**
 * Returns a call that failed as a hook tells of it, and why it failed. Only Claude Code's tools are known by name; a call of
 * another agent with a command runs that.
 */
export function failedCall(
  name: string,
  input: JsonObject,
  error: string,
): { call: ToolCall; reason: string } {
  const known = toolCall(TOOLS, null, name, input);
  const { command } = input;
  const isShell = known.command === null && typeof command === "string";
  return { call: isShell ? { ...known, command } : known, reason: failureReason(error) };
}

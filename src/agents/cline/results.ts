import type { ToolResult } from "../../transcript/events.ts";
import { type JsonObject, objectOf, objectsOf, parseObject, stringOf } from "../../transcript/json.ts";
import { resultOf } from "../conversation.ts";
import { callId } from "./tools.ts";

/** The text that the client adds above the output of a command. */
const EXIT_LINE = /^\[Command exited with code -?\d+\]\n?/;
const REFUSED = /\b(?:denied|rejected|cancelled) by (?:the )?user\b|\buser (?:denied|rejected)\b/i;

/**
 * Returns the results of a call, one for each of the calls that it stands for. `question` is its question to the
 * user, if any.
 */
export function toolResults(
  { tool_use_id, content, is_error }: JsonObject,
  question: string | null,
): ToolResult[] {
  const id = stringOf(tool_use_id);
  if (question !== null) {
    const answer = stringOf(textOf(content)?.trim());
    const answers = answer === null ? [] : [{ question, answer, notes: null }];
    return [{ ...resultOf(callId(id, 0), is_error === true, ""), answers }];
  }
  const single = typeof content === "string" ? parseObject(content) : null;
  const parts = single ? [single] : objectsOf(content).filter((part) => "query" in part || "success" in part);
  if (parts.length > 0) return parts.map((part, index) => partResult(callId(id, index), part));
  return [resultOf(callId(id, 0), is_error === true, textOf(content) ?? "")];
}

function partResult(id: string | null, part: JsonObject): ToolResult {
  const output = textOf(part.result) ?? "";
  if (part.success !== false) return { ...resultOf(id, false, output), report: stringOf(part.text) };
  const error = stringOf(part.error) ?? "";
  const printed = output.replace(EXIT_LINE, "").trim();
  return resultOf(id, true, REFUSED.test(error) ? "" : printed === "" ? error : printed);
}

/** Returns a text, or the joined texts of a list of blocks. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return stringOf(
    objectsOf(value)
      .flatMap((block) => stringOf(block.text) ?? stringOf(objectOf(block.resource)?.text) ?? [])
      .join("\n"),
  );
}

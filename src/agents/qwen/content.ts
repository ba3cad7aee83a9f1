import type { Message, ToolCall, ToolResult } from "../../transcript/events.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../transcript/json.ts";
import type { EntryText } from "../../transcript/transcript.ts";
import { toolCall } from "../tool-table.ts";
import { startsSubagent, TOOLS } from "./tools.ts";

/** The parts of a record's message. */
export function partsOf(record: JsonObject): JsonObject[] {
  return listOf(objectOf(record.message)?.parts)
    .map(objectOf)
    .filter((part) => part !== null);
}

/**
 * The first text of a message is the typed prompt. The contents of files that the prompt names, and text from hooks,
 * follow without any mark.
 */
export function promptOf(record: JsonObject): Message {
  // Notifications and scheduled tasks are written in the user's name, and marked with their kind.
  const kind = stringOf(record.subtype);
  if (kind !== null) return { kind: "skipped", reason: kind };
  const text = partsOf(record)
    .map((part) => stringOf(part.text))
    .find((given) => given !== null);
  if (text === undefined || text === null || text.trim() === "")
    return { kind: "skipped", reason: "no_text" };
  return { kind: "prompt", text, isQueued: false };
}

/** The model's thinking, answers and tool calls. */
export function workOf(record: JsonObject): Message {
  const texts: EntryText[] = [];
  const calls: ToolCall[] = [];
  for (const part of partsOf(record)) {
    const text = stringOf(part.text);
    if (text !== null && text.trim() !== "") texts.push({ text, isThinking: part.thought === true });
    const call = objectOf(part.functionCall);
    const name = stringOf(call?.name);
    if (call !== null && name !== null)
      calls.push(toolCall(TOOLS, stringOf(call.id), name, objectOf(call.args)));
  }
  return { kind: "work", texts, calls };
}

/** The results of tools. Texts next to them come from hooks. */
export function resultsOf(record: JsonObject): Message {
  const status = stringOf(objectOf(record.toolCallResult)?.status);
  const results = partsOf(record).flatMap((part) => {
    const response = objectOf(part.functionResponse);
    return response === null ? [] : resultOf(response, status);
  });
  return results.length === 0
    ? { kind: "skipped", reason: "no_text" }
    : { kind: "results", results, said: null };
}

/** The parts of a shell command's result. `Error` is about starting the command. */
const SHELL =
  /^Command: [\s\S]*?\nDirectory: [^\n]*\n(?:Output|Stdout): ([\s\S]*?)\n(?:Stderr: ([\s\S]*?)\n)?Error: ([\s\S]*?)\nExit Code: (-?\d+|\(none\))/;

function resultOf(given: JsonObject, status: string | null): ToolResult {
  const name = stringOf(given.name) ?? "";
  const response = objectOf(given.response);
  const error = stringOf(response?.error);
  const output = error ?? stringOf(response?.output) ?? "";
  const shell = name === "run_shell_command" ? SHELL.exec(output) : null;
  const code = shell?.[4];
  const hasFailed = code !== undefined && code !== "0" && code !== "(none)";
  const result = {
    callId: stringOf(given.id),
    isError: error !== null || status === "error" || hasFailed,
    text: shell ? shellText(shell) : output,
    answers: [],
    report: null,
    plan: null,
  };
  return startsSubagent(name) || name === "ask_user_question"
    ? { ...result, report: stringOf(output) }
    : result;
}

function shellText([, output = "", errors = "", error = ""]: readonly (string | undefined)[]): string {
  return [output, errors, error]
    .filter((text) => text !== "" && text !== "(none)" && text !== "(empty)")
    .join("\n");
}

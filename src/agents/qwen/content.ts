import type { Message, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../io/json.ts";
import { toolCall } from "../tool-table.ts";
import { startsSubagent, TOOLS } from "./tools.ts";

/** The parts of a record's message. */
function partsOf(record: JsonObject): JsonObject[] {
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

/** Where a shell command's result says what it printed. */
const PRINTED = /^(?:Output|Stdout): /;
const EXIT_CODE = /^(?:-?\d+|\(none\))/;

/**
 * The parts of a shell command's result; null for another text. `Error` is about starting the command, and stands with the code
 * behind all that was printed, which may look the same: they are looked for from the end.
 */
function shellResult(text: string): { said: string[]; code: string } | null {
  const directory = text.startsWith("Command: ") ? text.indexOf("\nDirectory: ") : -1;
  const line = directory < 0 ? -1 : text.indexOf("\n", directory + 1);
  const label = line < 0 ? undefined : PRINTED.exec(text.slice(line + 1, line + 10))?.[0];
  if (label === undefined) return null;
  const exit = text.lastIndexOf("\nExit Code: ");
  const code = EXIT_CODE.exec(text.slice(exit + "\nExit Code: ".length))?.[0];
  const error = text.lastIndexOf("\nError: ", exit - 1);
  const start = line + 1 + label.length;
  if (code === undefined || error < start) return null;
  const errors = text.lastIndexOf("\nStderr: ", error - 1);
  const outputEnd = errors < start ? error : errors;
  const said = [
    text.slice(start, outputEnd),
    errors < start ? "" : text.slice(errors + "\nStderr: ".length, error),
    text.slice(error + "\nError: ".length, exit),
  ];
  return { said, code };
}

function resultOf(given: JsonObject, status: string | null): ToolResult {
  const name = stringOf(given.name) ?? "";
  const response = objectOf(given.response);
  const error = stringOf(response?.error);
  const output = error ?? stringOf(response?.output) ?? "";
  const shell = name === "run_shell_command" ? shellResult(output) : null;
  const code = shell?.code;
  const hasFailed = code !== undefined && code !== "0" && code !== "(none)";
  const result = {
    callId: stringOf(given.id),
    isError: error !== null || status === "error" || hasFailed,
    text: shell ? shellText(shell.said) : output,
    answers: [],
    report: null,
    plan: null,
  };
  return startsSubagent(name) || name === "ask_user_question"
    ? { ...result, report: stringOf(output) }
    : result;
}

function shellText(said: readonly string[]): string {
  return said.filter((text) => text !== "" && text !== "(none)" && text !== "(empty)").join("\n");
}

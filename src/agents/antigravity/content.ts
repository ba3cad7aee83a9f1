import type { Answer, Said, ToolResult } from "../../transcript/events.ts";
import { type JsonObject, stringOf } from "../../transcript/json.ts";
import { resultOf } from "../conversation.ts";

const REQUEST = /<USER_REQUEST>([\s\S]*?)(?:<\/USER_REQUEST>|$)/;
/** Passages that the client adds to what the person typed. */
const ADDED = /<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>[\s\S]*?(?:<\/\1>|$)/g;
const MODEL = /`Model Selection` from .{0,200}? to (.{1,200}?)\. /;

/** Returns what was typed. */
export function saidIn({ content }: JsonObject): Said {
  const given = stringOf(content) ?? "";
  const text = (REQUEST.exec(given)?.[1] ?? given).replace(ADDED, "").trim();
  if (text === "") return { kind: "skipped", reason: "no_text" };
  return { kind: "prompt", text, isQueued: false };
}

/** Returns the model that the user chose with a prompt; null when it did not change. */
export function modelIn({ content }: JsonObject): string | null {
  return MODEL.exec(stringOf(content) ?? "")?.[1] ?? null;
}

/** The times that the client writes above a result. */
const HEADER = /^(?:(?:Created|Completed) At: .*\n)+/;
const COMMAND_FAILED = /^\s*The command failed with exit code: -?\d+\s*/;
const OUTPUT = /(?<!\s)\s*^[ \t]*(?:Output|Stdout|Stderr):[ \t]?/gm;
const STEP_FAILED = /^Encountered error in step execution: /;
const REFUSED = /\buser (?:denied|rejected|declined|cancelled)\b/i;

/** Returns the result in a step; `questions` are those of its call to the user. A failed command succeeds as a step. */
export function resultIn(step: JsonObject, callId: string | null, questions: readonly string[]): ToolResult {
  const text = unindented((stringOf(step.content) ?? "").replace(HEADER, ""));
  if (questions.length > 0) return { ...resultOf(callId, false, ""), answers: answersIn(text, questions) };
  const isError = step.status === "ERROR" || COMMAND_FAILED.test(text);
  if (!isError) return resultOf(callId, false, text);
  const reason = text.replace(COMMAND_FAILED, "").replace(OUTPUT, "").replace(STEP_FAILED, "").trim();
  return resultOf(callId, true, REFUSED.test(text) ? "" : (stringOf(reason) ?? text.trim()));
}

/** The client indents what it says about a result by tabs. */
function unindented(text: string): string {
  return text.replace(/^\t+/gm, "");
}

/** `A1: …`, a line for each question. */
function answersIn(text: string, questions: readonly string[]): Answer[] {
  return [...text.matchAll(/^A(\d+): (.+)$/gm)].flatMap(([, number, given]) => {
    const question = questions[Number(number) - 1];
    const answer = stringOf(given?.trim());
    return question === undefined || answer === null ? [] : { question, answer, notes: null };
  });
}

import type { Answer, ToolResult } from "../../transcript/events.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../transcript/json.ts";

/** The parts of a call's result that belong to the conversation. */
type Returned = Pick<ToolResult, "answers" | "report" | "plan">;

export const NOTHING_RETURNED: Returned = { answers: [], report: null, plan: null };

/** Reads the `toolUseResult` of an entry: answers to AskUserQuestion, an approved plan, or a subagent's report. */
export function returnedBy(toolUseResult: unknown): Returned {
  const result = objectOf(toolUseResult);
  if (result === null) return NOTHING_RETURNED;
  if (Array.isArray(result.questions)) return { ...NOTHING_RETURNED, answers: answersOf(result) };
  return { answers: [], report: reportOf(result), plan: stringOf(result.plan) };
}

function answersOf({ answers, annotations }: JsonObject): Answer[] {
  return Object.entries(objectOf(answers) ?? {}).flatMap(([question, given]) => {
    const notes = stringOf(objectOf(objectOf(annotations)?.[question])?.notes);
    const answer = answerText(given);
    if (answer === null && notes === null) return [];
    // When a person types instead of choosing, the note repeats the answer.
    return {
      question,
      answer: answer ?? notes ?? "",
      notes: answer === null || notes === answer ? null : notes,
    };
  });
}

/** Returns the answer, or the list of chosen answers. */
function answerText(given: unknown): string | null {
  const chosen = listOf(given).filter((each) => typeof each === "string");
  return stringOf(given) ?? stringOf(chosen.join(", "));
}

function reportOf(result: JsonObject): string | null {
  // Only a subagent's result counts the tools that it used.
  if (!("totalToolUseCount" in result)) return null;
  const texts = listOf(result.content).flatMap((block) => stringOf(objectOf(block)?.text) ?? []);
  return stringOf(texts.join("\n\n"));
}

const RESULT = /<result>([\s\S]*?)(?:<\/result>|$)/;

/** Reads the notification of a subagent that worked in the background; null when it holds no report. */
export function notifiedReport(text: string): ToolResult | null {
  if (!text.startsWith("<task-notification>")) return null;
  const report = stringOf(RESULT.exec(text)?.[1]?.trim());
  if (report === null) return null;
  // The notification may come several turns after the call.
  return { callId: null, isError: false, text: "", answers: [], report, plan: null };
}

import type { Answer, ToolResult } from "../../transcript/events.ts";
import { type JsonObject, listOf, numberOf, objectOf, objectsOf, stringOf } from "../../transcript/json.ts";
import { resultOf } from "../conversation.ts";

const REPORT = /<task_result>\s*([\s\S]*?)\s*(?:<\/task_result>|$)/;
/** The result of a call that the user refused or stopped, which is not a failure of the tool. */
const REFUSED = /^(?:Tool execution aborted|The user rejected permission|The user has specified a rule)/;

/** Returns the result of a part's tool; null while it runs. */
export function toolResult({ callID, tool, state: given }: JsonObject): ToolResult | null {
  const state = objectOf(given) ?? {};
  const id = stringOf(callID);
  if (state.status === "error") {
    const error = stringOf(state.error) ?? "";
    return resultOf(id, true, REFUSED.test(error) ? "" : error);
  }
  if (state.status !== "completed") return null;
  const metadata = objectOf(state.metadata);
  const output = stringOf(state.output) ?? "";
  // A tool succeeds even if its command fails.
  const exit = numberOf(metadata?.exit);
  const result = resultOf(id, exit !== null && exit !== 0, output);
  if (tool === "task") return { ...result, report: stringOf(REPORT.exec(output)?.[1]) ?? stringOf(output) };
  if (tool === "question") return { ...result, answers: answersOf(objectOf(state.input), metadata) };
  return result;
}

/** Matches answers to questions by their position. */
function answersOf(input: JsonObject | null, metadata: JsonObject | null): Answer[] {
  const answers = listOf(metadata?.answers);
  return objectsOf(input?.questions).flatMap((asked, index) => {
    const question = stringOf(asked.question);
    const chosen = listOf(answers[index]).filter((each) => typeof each === "string");
    const answer = stringOf(answers[index]) ?? stringOf(chosen.join(", "));
    return question === null || answer === null ? [] : { question, answer, notes: null };
  });
}

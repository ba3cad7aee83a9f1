import type { Answer, ToolResult } from "../../ingest/transcript/events.ts";
import { type JsonObject, listOf, objectOf, parseObject, stringOf } from "../../io/json.ts";
import { resultOf } from "../conversation.ts";
import { wordsOf } from "./tools.ts";

/** Text that a hook added to the output of a tool. */
const HOOK_CONTEXT = /(?<!\s)\s*<hook_context>(?:(?!<hook_context>)[\s\S])*?<\/hook_context>\s*$/;
const UNTRUSTED = /^<untrusted_context>\n?([\s\S]*?)\n?(?:<\/untrusted_context>\s*)?$/;
/** The lines that the client adds below the output of a command. */
const FOOTER = /\n(?:(?:Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*(?:\n|$)){1,8}$/;
const FAILED = /^Exit Code: (?!0$)/m;
const SUBAGENT = /^Subagent '[^']*' finished\./;
const REPORT = /\nResult:\n([\s\S]*)$/;
/** The result of a refused or interrupted call, which is not a failure of the tool. */
const REFUSED = /^\[Operation Cancelled\]/;

/** Returns the result of one of a message's `toolCalls`; null while it runs. */
export function toolResult(call: JsonObject): ToolResult | null {
  const { output, error } = responseOf(call);
  if (output === null && error === null) return null;
  const id = stringOf(call.id);
  if (error !== null || call.status === "error" || call.status === "cancelled")
    return resultOf(id, true, REFUSED.test(error ?? "") ? "" : (error ?? output ?? ""));
  const text = output ?? "";
  if (call.name === "run_shell_command") return shellResult(id, text);
  if (call.name === "ask_user") return { ...resultOf(id, false, ""), answers: answersOf(call.args, text) };
  return { ...resultOf(id, false, text), report: reportOf(text) };
}

/** True for a call of a subagent, according to its result. */
export function isSubagentCall(call: JsonObject): boolean {
  return stringOf(call.agentId) !== null || SUBAGENT.test(responseOf(call).output ?? "");
}

function responseOf({ result }: JsonObject): { output: string | null; error: string | null } {
  const parts = listOf(result).map((part) => objectOf(objectOf(objectOf(part)?.functionResponse)?.response));
  const text = (key: string) =>
    stringOf(
      parts
        .flatMap((response) => stringOf(response?.[key]) ?? [])
        .join("\n")
        .replace(HOOK_CONTEXT, ""),
    );
  return { output: text("output"), error: text("error") };
}

/** A tool succeeds even if its command fails. The exit code is below the output. */
function shellResult(id: string | null, output: string): ToolResult {
  const text = UNTRUSTED.exec(output)?.[1] ?? output;
  const footer = FOOTER.exec(text)?.[0] ?? "";
  const printed = text.slice(0, text.length - footer.length).replace(/^Output: /, "");
  return resultOf(id, FAILED.test(footer), printed === "(empty)" ? "" : printed);
}

function reportOf(output: string): string | null {
  if (!SUBAGENT.test(output)) return null;
  const report = REPORT.exec(output)?.[1]?.trim() ?? "";
  return wordsOf(parseObject(report)) ?? stringOf(report);
}

/** Matches answers to questions by their position. */
function answersOf(args: unknown, output: string): Answer[] {
  const answers = objectOf(parseObject(output)?.answers) ?? {};
  return listOf(objectOf(args)?.questions).flatMap((asked, index) => {
    const question = stringOf(objectOf(asked)?.question);
    const answer = stringOf(answers[String(index)]);
    return question === null || answer === null ? [] : { question, answer, notes: null };
  });
}

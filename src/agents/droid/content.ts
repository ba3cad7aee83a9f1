import type { Answer, ConversationEvent, Said, ToolResult } from "../../ingest/transcript/events.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, objectOf, objectsOf, stringOf } from "../../io/json.ts";
import { type About, conversation, resultOf } from "../conversation.ts";
import { INTERRUPTED } from "../notices.ts";
import { toolCall } from "../tool-table.ts";
import { TOOLS } from "./tools.ts";

/** Passages that Droid adds to what the person typed. */
const ADDED = /<system-(reminder|notification)>[\s\S]*?(?:<\/system-\1>|$)/g;
/** What Droid writes around the output of a failed command. */
const FAILED = /^Error: (?:Command failed \(exit code: \d+\)|Tool execution failed:?)\s*/;
const EXIT_LINE = /(?<!\s)\s*\[Process exited with code (-?\d+)\]\s*$/;
const REFUSED =
  /^(?:Error: )?(?:Tool execution (?:was )?(?:cancelled|rejected)|(?:The )?user (?:rejected|cancelled|declined))/i;

/** Returns the event of a user message: a prompt, the results of tools, or the reason why neither. */
export function userEvents(
  message: JsonObject,
  about: About,
  questions: ReadonlyMap<string, string>,
): ConversationEvent[] {
  const results = resultsIn(message, questions);
  const spoken = saidIn(message);
  if (results.length === 0) return [conversation(spoken, about)];
  const said = spoken.kind === "skipped" ? null : spoken;
  return [conversation({ kind: "results", results, said }, about)];
}

function saidIn(message: JsonObject): Said {
  // `llm_only` is context for the model, `user_only` a note on the screen.
  const visibility = stringOf(message.visibility);
  if (visibility !== null && visibility !== "all") return { kind: "skipped", reason: visibility };
  if (stringOf(message.hookEventName) !== null) return { kind: "skipped", reason: "hook" };
  const text = blocksOf(message)
    .flatMap((block) => (block.type === "text" ? (stringOf(block.text) ?? []) : []))
    .map((each) => each.replace(ADDED, "").trim())
    .filter((each) => each !== "")
    .join("\n");
  if (text === "") return { kind: "skipped", reason: "no_text" };
  if (text.startsWith(INTERRUPTED)) return { kind: "skipped", reason: "interruption" };
  return { kind: "prompt", text, isQueued: false };
}

/** Returns the events of a message of the model. In older versions it holds the results of its tools, too. */
export function workEvents(
  message: JsonObject,
  about: About,
  questions: ReadonlyMap<string, string>,
): ConversationEvent[] {
  const blocks = blocksOf(message);
  const calls = blocks.flatMap((block) => {
    const name = block.type === "tool_use" ? stringOf(block.name) : null;
    return name === null ? [] : toolCall(TOOLS, stringOf(block.id), name, objectOf(block.input));
  });
  const work = conversation({ kind: "work", texts: blocks.flatMap(wordsOf), calls }, about);
  const results = resultsIn(message, questions);
  if (results.length === 0) return [work];
  const after = { ...about, uuid: about.uuid ? `${about.uuid}-results` : null };
  return [work, conversation({ kind: "results", results, said: null }, after)];
}

/** Returns the questions to the user of a message's calls, by id of the call. */
export function questionsIn(message: JsonObject): [id: string, question: string][] {
  return blocksOf(message).flatMap((block): [string, string][] => {
    const id = stringOf(block.id);
    const asked = stringOf(objectOf(block.input)?.questionnaire);
    return block.name === "AskUser" && id !== null && asked !== null ? [[id, asked]] : [];
  });
}

function wordsOf(block: JsonObject): EntryText[] {
  if (block.type === "tool_use" && block.name === "ExitSpecMode") {
    const plan = stringOf(objectOf(block.input)?.plan);
    return plan === null ? [] : [{ text: plan, isThinking: false }];
  }
  const isThinking = block.type === "thinking" || block.type === "reasoning";
  const text = stringOf(block.text) ?? (isThinking ? stringOf(block.thinking) : null);
  return text !== null && (isThinking || block.type === "text") ? [{ text, isThinking }] : [];
}

function resultsIn(message: JsonObject, questions: ReadonlyMap<string, string>): ToolResult[] {
  return blocksOf(message).flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const id = stringOf(block.tool_use_id);
    const output = textOf(block.content);
    const question = questions.get(id ?? "");
    const isError = block.is_error === true;
    if (question !== undefined) return { ...resultOf(id, isError, ""), answers: answersIn(output) };
    const code = EXIT_LINE.exec(output)?.[1];
    const text = output.replace(EXIT_LINE, "");
    const hasFailed = isError || (code !== undefined && code !== "0");
    if (!hasFailed) return { ...resultOf(id, false, text), report: stringOf(text) };
    return resultOf(id, true, REFUSED.test(text) ? "" : (stringOf(text.replace(FAILED, "")) ?? text));
  });
}

/** `1. [question] …` and below it `[answer] …`, for each question. */
function answersIn(output: string): Answer[] {
  const found: Answer[] = [];
  let question: string | null = null;
  for (const line of output.split("\n")) {
    question = /\[question\]\s*(.+)/.exec(line)?.[1]?.trim() ?? question;
    const answer = /^\s*\[answer\]\s*(.+)/.exec(line)?.[1]?.trim();
    if (question !== null && answer !== undefined) found.push({ question, answer, notes: null });
  }
  return found;
}

function blocksOf({ content }: JsonObject): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .flatMap(({ text }) => stringOf(text) ?? [])
    .join("\n");
}

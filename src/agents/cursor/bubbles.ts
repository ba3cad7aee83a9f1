import type { Answer, ConversationEvent, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, numberOf, objectOf, objectsOf, parseObject, stringOf } from "../../io/json.ts";
import { type About, conversation, resultOf, timeOf } from "../conversation.ts";
import { toolCall } from "../tool-table.ts";
import { said } from "./messages.ts";
import { argumentsOf, TOOLS } from "./tools.ts";

/** Messages of these types are read. Others are counted by their type. */
export const [USER, ASSISTANT] = [1, 2] as const;

/** Times before this one, 2000, count from some start. */
const EPOCH_MS = 946_684_800_000;

/** Returns when a message was written; null when it does not say. */
export function timeOfBubble({ createdAt, timestamp, timingInfo }: JsonObject): string | null {
  const timing = objectOf(timingInfo);
  const times = [
    timing?.clientStartTime,
    timing?.clientRpcSendTime,
    timing?.clientSettleTime,
    timing?.clientEndTime,
  ];
  const found = times.map(numberOf).find((time) => time !== null && time > EPOCH_MS);
  return timeOf(createdAt) ?? timeOf(timestamp) ?? timeOf(found === null ? undefined : found);
}

/** Returns the text of a message, which some versions keep under another name. */
export function textOf({ text, rawText }: JsonObject): string {
  return stringOf(text) ?? stringOf(rawText) ?? "";
}

/** Returns the events of a message: a prompt, or the work of the model with the result of its tool. */
export function bubbleEvents(bubble: JsonObject, about: About): ConversationEvent[] {
  if (bubble.type === USER) return [conversation(said(textOf(bubble)), about)];
  const tool = objectOf(bubble.toolFormerData);
  const call = tool === null ? null : callOf(tool, about.uuid ?? "");
  const work = conversation(
    { kind: "work", texts: textsOf(bubble), calls: call === null ? [] : [call] },
    about,
  );
  const result = tool === null || call === null ? null : resultIn(tool, call);
  if (result === null) return [work];
  const after = { ...about, uuid: `${about.uuid}-result` };
  return [work, conversation({ kind: "results", results: [result], said: null }, after)];
}

function textsOf(bubble: JsonObject): EntryText[] {
  const thinking = objectOf(bubble.thinking);
  const thought = stringOf(thinking?.text) ?? stringOf(bubble.thinking);
  const text = textOf(bubble);
  return [
    ...(thought === null ? [] : [{ text: thought, isThinking: true }]),
    ...(text === "" ? [] : [{ text, isThinking: false }]),
  ];
}

function callOf(tool: JsonObject, fallback: string): ToolCall | null {
  const name = stringOf(tool.name);
  if (name === null) return null;
  return toolCall(TOOLS, stringOf(tool.toolCallId) ?? fallback, name, argumentsOf(tool));
}

/** Returns the result of a call; null while it runs. A command that failed succeeds as a tool. */
function resultIn(tool: JsonObject, call: ToolCall): ToolResult | null {
  const result = parseObject(stringOf(tool.result) ?? "") ?? null;
  const failure = failureIn(tool, result);
  if (failure !== null) return resultOf(call.id, true, failure);
  if (tool.status !== "completed" && result === null) return null;
  const answers = answersIn(tool, result);
  const report = call.name === "Task" ? (stringOf(result?.output) ?? stringOf(result?.finalMessage)) : null;
  return { ...resultOf(call.id, false, answers.length > 0 ? "" : outputIn(tool, result)), answers, report };
}

/** Returns why a call failed, empty where a person refused or stopped it; null for one that did not fail. */
function failureIn(tool: JsonObject, result: JsonObject | null): string | null {
  const isRefused = tool.userDecision === "rejected" || result?.rejected === true;
  if (tool.status === "cancelled" || isRefused) return "";
  const error = errorIn(tool.error);
  const code = numberOf(result?.exitCode) ?? numberOf(result?.exitCodeV2) ?? 0;
  const hasFailed = tool.status === "error" || code !== 0 || result?.applyFailed === true;
  return error ?? (hasFailed ? outputIn(tool, result) : null);
}

function outputIn(tool: JsonObject, result: JsonObject | null): string {
  return stringOf(result?.output) ?? stringOf(result?.contents) ?? stringOf(tool.result) ?? "";
}

function errorIn(value: unknown): string | null {
  const given = stringOf(value);
  if (given === null) return null;
  const fields = parseObject(given);
  return (
    stringOf(fields?.modelVisibleErrorMessage) ??
    stringOf(fields?.clientVisibleErrorMessage) ??
    stringOf(fields?.message) ??
    given
  );
}

function answersIn(tool: JsonObject, result: JsonObject | null): Answer[] {
  const asked = objectsOf(argumentsOf(tool)?.questions);
  const given = objectsOf(result?.answers);
  return given.flatMap((each, index) => {
    const question = asked.find(({ id }) => id !== undefined && id === each.questionId) ?? asked[index];
    const prompt = stringOf(question?.prompt) ?? stringOf(question?.question);
    const chosen = Array.isArray(each.selectedOptionIds)
      ? each.selectedOptionIds.filter((id) => typeof id === "string")
      : [];
    const answer =
      stringOf(each.freeformText) ?? stringOf(chosen.map((id) => labelOf(question, id)).join(", "));
    return prompt === null || answer === null ? [] : { question: prompt, answer, notes: null };
  });
}

function labelOf(question: JsonObject | undefined, id: string): string {
  return stringOf(objectsOf(question?.options).find((option) => option.id === id)?.label) ?? id;
}

import type { Answer, ConversationEvent, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import { type LineResult, type RecordAdapter, readRecords } from "../../ingest/transcript/json-lines.ts";
import type { RecordSource } from "../../ingest/transcript/recorder.ts";
import type { EntryText, ReadOptions, TranscriptStep } from "../../ingest/transcript/transcript.ts";
import { branchReader } from "../../io/git/project.ts";
import { asNumber, asObject, asObjects, asString, type JsonObject, parseObject } from "../../io/json.ts";
import {
  type About,
  agentSource,
  compaction,
  conversation,
  resultOf,
  timeOf,
  titled,
  worked,
} from "../conversation.ts";
import { toolCall } from "../tool-table.ts";
import type { Composer } from "./composer.ts";
import { type Conversation, readConversation } from "./editor.ts";
import { argumentsOf, classifyUserText, TOOLS } from "./messages.ts";

/** Reads a conversation of Cursor's editor. */
export function readEditor(path: string, database: string, id: string, options: ReadOptions): TranscriptStep {
  const given = readConversation(path, database, id);
  return readRecords(recordsOf(given), options, new Bubbles(id, given));
}

/** Yields one record for the conversation, one for each message, and one where a person went back. */
function* recordsOf(given: Conversation): Iterable<JsonObject> {
  yield { kind: "conversation" };
  for (const each of inOrder(given)) yield each;
}

class Bubbles implements RecordAdapter {
  readonly source: RecordSource;
  readonly #given: Conversation;
  readonly #about: About;
  readonly #branchAt: (time: string | null) => string | null;
  /** Time of the previous message, because some messages have none. */
  #time: string | null;

  constructor(id: string, given: Conversation) {
    const { cwd, parentId, data } = given;
    const agentId = parentId === null ? null : id;
    const sessionId = parentId ?? id;
    this.#given = given;
    this.#about = { sessionId, agentId, cwd };
    this.#branchAt = branchReader(cwd);
    this.#time = timeOf(asNumber(data.createdAt) ?? undefined);
    const type = asString(asObject(data.subagentInfo)?.subagentTypeName);
    this.source = agentSource({ sessionId, agentId }, { type, task: asString(data.name) });
  }

  read(record: JsonObject): LineResult {
    const { sessionId = null, agentId = null } = this.#about;
    if (record.kind === "conversation") return this.#title();
    if (record.kind === "rewind") return [{ kind: "rewind", sessionId, uuid: String(record.uuid) }];
    const bubble = asObject(record.bubble) ?? {};
    if (bubble.type !== USER && bubble.type !== ASSISTANT) return String(asString(bubble.type) ?? "no_type");
    this.#time = timeOfBubble(bubble) ?? this.#time;
    const about = {
      ...this.#about,
      agentId,
      uuid: asString(bubble.bubbleId),
      timestamp: this.#time,
      branch: this.#branchAt(this.#time),
      model: bubble.type === USER ? null : this.#model(bubble),
    };
    if (record.kind !== "compaction") return bubbleEvents(bubble, about);
    return compaction(String(record.text), { ...about, uuid: `${about.uuid}-summary` });
  }

  #title(): LineResult {
    const title = asString(this.#given.data.name);
    const { sessionId = null, agentId = null } = this.#about;
    return title === null || agentId !== null ? "conversation" : titled(sessionId, title);
  }

  #model({ modelInfo, modelType }: JsonObject): string | null {
    const chosen = asObject(this.#given.data.modelConfig)?.modelName;
    return asString(asObject(modelInfo)?.modelName) ?? asString(modelType) ?? asString(chosen);
  }
}

/**
 * Yields a conversation's messages in order, including those that a person abandoned by going back: each prompt with the messages
 * after it, and a record of the return. Leaves out work without such a prompt. The record of a summary follows the last message
 * that the summary replaced.
 */
function* inOrder({ data, bubbles, left }: Composer): Iterable<JsonObject> {
  const summary = summaryOf(data);
  const groups = leftGroups(left);
  for (const bubble of bubbles) {
    if (bubble.type === USER) {
      const time = timeOfBubble(bubble);
      while (time !== null && groups[0] !== undefined && groups[0].time < time)
        yield* recordsIn(groups.shift());
    }
    yield { bubble };
    if (summary !== null && bubble.bubbleId === summary.after)
      yield { kind: "compaction", text: summary.text, bubble };
  }
  for (const group of groups) yield* recordsIn(group);
}

/** Returns the last summary of a conversation, the only one that is kept, and the last message that it replaced. */
function summaryOf({
  latestConversationSummary: latest,
}: JsonObject): { text: string; after: string } | null {
  const { summary, lastBubbleId } = asObject(latest) ?? {};
  const fields = asObject(summary);
  const text = asString(fields?.summary);
  const after = asString(fields?.truncationLastBubbleIdInclusive) ?? asString(lastBubbleId);
  return text === null || after === null ? null : { text, after };
}

/** An abandoned prompt with the work after it. */
interface Group {
  time: string;
  bubbles: JsonObject[];
}

function leftGroups(left: readonly JsonObject[]): Group[] {
  const inTime = left
    .map((bubble) => ({ bubble, time: timeOfBubble(bubble) ?? "" }))
    .sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
  const groups: Group[] = [];
  for (const { bubble, time } of inTime) {
    if (bubble.type === USER && textOf(bubble) !== "") groups.push({ time, bubbles: [bubble] });
    else groups.at(-1)?.bubbles.push(bubble);
  }
  return groups;
}

function* recordsIn(group: Group | undefined): Iterable<JsonObject> {
  const [first] = group?.bubbles ?? [];
  if (group === undefined || first === undefined) return;
  for (const bubble of group.bubbles) yield { bubble };
  yield { kind: "rewind", uuid: first.bubbleId };
}

/** Types of messages to read. Others are counted by their type. */
export const [USER, ASSISTANT] = [1, 2] as const;

/** The year 2000. Smaller times are relative to some other start. */
const EPOCH_MS = 946_684_800_000;

/** Returns the time of a message; null when unknown. */
function timeOfBubble({ createdAt, timestamp, timingInfo }: JsonObject): string | null {
  const timing = asObject(timingInfo);
  const times = [
    timing?.clientStartTime,
    timing?.clientRpcSendTime,
    timing?.clientSettleTime,
    timing?.clientEndTime,
  ];
  const found = times.map(asNumber).find((time) => time !== null && time > EPOCH_MS);
  return timeOf(createdAt) ?? timeOf(timestamp) ?? timeOf(found === null ? undefined : found);
}

/** Returns the text of a message, which some versions keep under another name. */
function textOf({ text, rawText }: JsonObject): string {
  return asString(text) ?? asString(rawText) ?? "";
}

/** Returns the events of a message: a prompt, or the work of the model with the result of its tool. */
function bubbleEvents(bubble: JsonObject, about: About): ConversationEvent[] {
  if (bubble.type === USER) return [conversation(classifyUserText(textOf(bubble)), about)];
  const tool = asObject(bubble.toolFormerData);
  const call = tool === null ? null : callOf(tool, about.uuid ?? "");
  const result = tool === null || call === null ? null : resultIn(tool, call);
  const work = { texts: textsOf(bubble), calls: call === null ? [] : [call] };
  return worked(work, result === null ? [] : [result], about, `${about.uuid}-result`);
}

function textsOf(bubble: JsonObject): EntryText[] {
  const thinking = asObject(bubble.thinking);
  const thought = asString(thinking?.text) ?? asString(bubble.thinking);
  const text = textOf(bubble);
  return [
    ...(thought === null ? [] : [{ text: thought, isThinking: true }]),
    ...(text === "" ? [] : [{ text, isThinking: false }]),
  ];
}

function callOf(tool: JsonObject, fallback: string): ToolCall | null {
  const name = asString(tool.name);
  if (name === null) return null;
  return toolCall(TOOLS, asString(tool.toolCallId) ?? fallback, name, argumentsOf(tool));
}

/** Returns the result of a call; null while it runs. A command that failed succeeds as a tool. */
function resultIn(tool: JsonObject, call: ToolCall): ToolResult | null {
  const result = parseObject(asString(tool.result) ?? "") ?? null;
  const failure = failureIn(tool, result);
  if (failure !== null) return resultOf(call.id, true, failure);
  if (tool.status !== "completed" && result === null) return null;
  const answers = answersIn(tool, result);
  const report = call.name === "Task" ? (asString(result?.output) ?? asString(result?.finalMessage)) : null;
  return { ...resultOf(call.id, false, answers.length > 0 ? "" : outputIn(tool, result)), answers, report };
}

/** Returns the reason of a failed call, empty if a person refused or stopped it; null for a successful one. */
function failureIn(tool: JsonObject, result: JsonObject | null): string | null {
  const isRefused = tool.userDecision === "rejected" || result?.rejected === true;
  if (tool.status === "cancelled" || isRefused) return "";
  const error = errorIn(tool.error);
  const code = asNumber(result?.exitCode) ?? asNumber(result?.exitCodeV2) ?? 0;
  const hasFailed = tool.status === "error" || code !== 0 || result?.applyFailed === true;
  return error ?? (hasFailed ? outputIn(tool, result) : null);
}

function outputIn(tool: JsonObject, result: JsonObject | null): string {
  return asString(result?.output) ?? asString(result?.contents) ?? asString(tool.result) ?? "";
}

function errorIn(value: unknown): string | null {
  const given = asString(value);
  if (given === null) return null;
  const fields = parseObject(given);
  return (
    asString(fields?.modelVisibleErrorMessage) ??
    asString(fields?.clientVisibleErrorMessage) ??
    asString(fields?.message) ??
    given
  );
}

function answersIn(tool: JsonObject, result: JsonObject | null): Answer[] {
  const asked = asObjects(argumentsOf(tool)?.questions);
  const given = asObjects(result?.answers);
  return given.flatMap((each, index) => {
    const question = asked.find(({ id }) => id !== undefined && id === each.questionId) ?? asked[index];
    const prompt = asString(question?.prompt) ?? asString(question?.question);
    const chosen = Array.isArray(each.selectedOptionIds)
      ? each.selectedOptionIds.filter((id) => typeof id === "string")
      : [];
    const answer =
      asString(each.freeformText) ?? asString(chosen.map((id) => labelOf(question, id)).join(", "));
    return prompt === null || answer === null ? [] : { question: prompt, answer, notes: null };
  });
}

function labelOf(question: JsonObject | undefined, id: string): string {
  return asString(asObjects(question?.options).find((option) => option.id === id)?.label) ?? id;
}

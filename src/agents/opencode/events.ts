import type { Answer, Said, ToolCall, ToolResult, TranscriptEvent } from "../../ingest/transcript/events.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, numberOf, objectOf, objectsOf, stringOf } from "../../io/json.ts";
import { type About, conversation, resultOf, timeOf } from "../conversation.ts";
import { toolCall } from "../tool-table.ts";
import type { Message } from "./rows.ts";
import { TOOLS } from "./tools.ts";

/** Parts with content to read. Others are counted by their type. */
export const READ_PARTS: ReadonlySet<unknown> = new Set([
  "text",
  "reasoning",
  "tool",
  "patch",
  "compaction",
  "subtask",
]);

/** Returns the event of a user message. One with a compaction part marks the place of a compaction. */
export function promptEvents(message: Message, about: About): TranscriptEvent[] {
  const mark = message.parts.find(({ type }) => type === "compaction");
  if (mark === undefined) return [conversation(said(message), about)];
  const trigger = mark.auto === false ? "manual" : "auto";
  return [conversation({ kind: "compaction", trigger, preTokens: null }, about)];
}

/** Returns the event of a message of the model. */
export function workEvents({ data, parts }: Message, about: About): TranscriptEvent[] {
  const texts = parts.flatMap(textOf);
  if (data.summary === true) {
    const text = texts.map((each) => each.text).join("\n\n");
    return [
      conversation(
        text === "" ? { kind: "skipped", reason: "no_text" } : { kind: "compaction_summary", text },
        about,
      ),
    ];
  }
  const tools = parts.filter(({ type }) => type === "tool");
  const calls = tools.flatMap((part): ToolCall[] => {
    const name = stringOf(part.tool);
    return name === null
      ? []
      : [toolCall(TOOLS, stringOf(part.callID), name, objectOf(objectOf(part.state)?.input))];
  });
  const work = conversation({ kind: "work", texts, calls: [...calls, ...changes(parts, calls)] }, about);
  const results = tools.flatMap((part) => toolResult(part) ?? []);
  if (results.length === 0) return [work];
  return [
    work,
    conversation({ kind: "results", results, said: null }, { ...about, uuid: `${about.uuid}-results` }),
  ];
}

function textOf({ type, text, synthetic, ignored }: Message["parts"][number]): EntryText[] {
  const words = stringOf(text);
  if (words === null || synthetic === true || ignored === true) return [];
  return type === "text" || type === "reasoning" ? [{ text: words, isThinking: type === "reasoning" }] : [];
}

/** Returns the files that changed while the message's tools ran and that no tool names, as a call without a summary. */
function changes(parts: Message["parts"], calls: readonly ToolCall[]): ToolCall[] {
  const named = new Set(calls.flatMap(({ paths }) => paths));
  const files = parts
    .filter(({ type }) => type === "patch")
    .flatMap((part) => listOf(part.files))
    .filter((file) => typeof file === "string");
  const paths = files.filter((file) => !named.has(file));
  if (paths.length === 0) return [];
  return [{ id: null, name: "Edit", shown: null, paths, web: null, command: null, returnsWords: false }];
}

/** Returns the time, model and directory of a message. */
export function aboutOf({ data }: Message): About {
  const model = stringOf(data.modelID) ?? stringOf(objectOf(data.model)?.modelID);
  const cwd = stringOf(objectOf(data.path)?.cwd);
  return { timestamp: timeOf(objectOf(data.time)?.created), model, ...(cwd !== null && { cwd }) };
}

const REPORT = /<task_result>\s*([\s\S]*?)\s*(?:<\/task_result>|$)/;
/** The result of a call that the user refused or stopped, which is not a failure of the tool. */
const REFUSED = /^(?:Tool execution aborted|The user rejected permission|The user has specified a rule)/;

/** Returns the result of a part's tool; null while it runs. */
function toolResult({ callID, tool, state: given }: JsonObject): ToolResult | null {
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

/** Classifies a user message. Parts that the client or a plugin added are marked. */
export function said({ parts }: Message): Said {
  if (parts.some(({ type }) => type === "compaction")) return { kind: "skipped", reason: "compaction" };
  const texts = parts.filter(({ type }) => type === "text");
  const typed = texts
    .filter(({ synthetic, ignored }) => synthetic !== true && ignored !== true)
    .map(({ text }) => stringOf(text)?.trim() ?? "")
    .filter((text) => text !== "")
    .map(unquoted)
    .join("\n");
  if (typed !== "") return { kind: "prompt", text: typed, isQueued: false };
  const command = parts.find(({ type }) => type === "subtask");
  if (command) return subtask(stringOf(command.command), stringOf(command.prompt));
  return { kind: "skipped", reason: texts.length === 0 ? "no_text" : "synthetic" };
}

/** A user's command that a subagent carries out. */
function subtask(command: string | null, prompt: string | null): Said {
  const text = command === null ? prompt : `/${command}`;
  return text === null ? { kind: "skipped", reason: "subtask" } : { kind: "command", text };
}

/** `opencode run "two words"` stores the prompt with quotes around it. */
function unquoted(text: string): string {
  const inside = /^"((?:[^"\\]|\\[\s\S])*)"$/.exec(text)?.[1];
  return inside === undefined || !/\s/.test(inside) ? text : inside.replaceAll('\\"', '"');
}

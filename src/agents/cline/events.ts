import type { ConversationEvent, ToolCall, ToolResult } from "../../transcript/events.ts";
import { type JsonObject, objectOf, objectsOf, stringOf } from "../../transcript/json.ts";
import type { EntryText } from "../../transcript/transcript.ts";
import { type About, conversation } from "../conversation.ts";
import { toolResults } from "./results.ts";
import { said } from "./said.ts";
import { toolCalls } from "./tools.ts";

/** Blocks with content to read. Others are counted by their type. */
export const READ_BLOCKS: ReadonlySet<unknown> = new Set(["text", "thinking", "tool_use", "tool_result"]);

/** Returns the event of a user message: a prompt, the results of tools, or the summary of a long context. */
export function userEvents(
  message: JsonObject,
  about: About,
  questions: ReadonlyMap<string, string>,
): ConversationEvent[] {
  const text = textsOf(message.content).join("\n").trim();
  const metadata = objectOf(message.metadata);
  if (metadata?.kind === "compaction_summary") return compaction(stringOf(metadata.summary) ?? text, about);
  const results = blocksOf(message.content, "tool_result").flatMap((block): ToolResult[] =>
    toolResults(block, questions.get(stringOf(block.tool_use_id) ?? "") ?? null),
  );
  if (results.length === 0)
    return [conversation(text === "" ? { kind: "skipped", reason: "no_text" } : said(text), about)];
  return [conversation({ kind: "results", results, said: text === "" ? null : said(text) }, about)];
}

function compaction(summary: string, about: About): ConversationEvent[] {
  return [
    conversation({ kind: "compaction", trigger: null, preTokens: null }, { ...about, uuid: null }),
    conversation({ kind: "compaction_summary", text: summary }, about),
  ];
}

/** Returns the event of a message of the model. */
export function workEvents({ content }: JsonObject, about: About): ConversationEvent[] {
  const texts = (
    typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content)
  ).flatMap(wordsOf);
  const calls = blocksOf(content, "tool_use").flatMap((block): ToolCall[] => {
    const name = stringOf(block.name);
    return name === null ? [] : toolCalls(stringOf(block.id), name, inputOf(block));
  });
  return [conversation({ kind: "work", texts, calls }, about)];
}

/** Questions to the user, by id of the call. */
export function questionsIn({ content }: JsonObject): [id: string, question: string][] {
  return blocksOf(content, "tool_use").flatMap((block): [string, string][] => {
    const [id, question] = [stringOf(block.id), stringOf(inputOf(block).question)];
    return block.name === "ask_question" && id !== null && question !== null ? [[id, question]] : [];
  });
}

function wordsOf(block: JsonObject): EntryText[] {
  if (block.type === "tool_use" && block.name === "submit_and_exit") {
    const summary = stringOf(inputOf(block).summary);
    return summary === null ? [] : [{ text: summary, isThinking: false }];
  }
  const isThinking = block.type === "thinking";
  const text = stringOf(isThinking ? block.thinking : block.text);
  return text !== null && (isThinking || block.type === "text") ? [{ text, isThinking }] : [];
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  return blocksOf(content, "text").flatMap(({ text }) => stringOf(text) ?? []);
}

function blocksOf(content: unknown, type: string): JsonObject[] {
  return objectsOf(content).filter((block) => block.type === type);
}

function inputOf({ input }: JsonObject): JsonObject {
  return objectOf(input) ?? (typeof input === "string" ? { input, commands: input } : {});
}

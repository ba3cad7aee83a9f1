import type { ConversationEvent, Said, ToolCall, ToolResult } from "../../ingest/transcript/events.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, objectOf, objectsOf, parseObject, stringOf } from "../../io/json.ts";
import { type About, conversation, resultOf } from "../conversation.ts";
import { callId, toolCalls } from "./tools.ts";

const INPUT = /^(?:(?!<user_input\b)[\s\S])*<user_input\b[^<>]*>([\s\S]*)<\/user_input>/;
/** The text that replaces a user's command. */
const COMMAND =
  /<user_command\b[^<>]*?\bslash="([^"<>]*)"[^<>]*>((?:(?!<user_command\b)[\s\S])*?)<\/user_command>/g;
const TEAM = /^\s*spawn a team of agents for the following task:\s*/i;
/** Text that the client adds to a prompt. */
const ADDED = /<(mode_notice|file_content)\b[^<>]*>[\s\S]*?(?:<\/\1>|$)/g;
/** Starts of texts that the client writes itself. */
const CLIENTS = ["[SYSTEM]", "<SYSTEM_NOTICE>", "System-delivered teammate async run updates:"];

/** Classifies the text of a user message. A prompt is in `<user_input>`; older versions wrote it without a tag. */
export function said(text: string): Said {
  const commands: string[] = [];
  const input = (INPUT.exec(text)?.[1] ?? text).replace(ADDED, "");
  const typed = input
    .replace(COMMAND, (_, slash: string, instructions: string) => {
      commands.push(slash);
      // The task of a team was typed. The instructions of any other command were not.
      return slash === "team" ? `/team ${instructions.replace(TEAM, "")}` : `/${slash}`;
    })
    .trim();
  if (typed === "") return { kind: "skipped", reason: "no_text" };
  if (CLIENTS.some((start) => typed.startsWith(start))) return { kind: "skipped", reason: "notification" };
  if (commands.some((slash) => typed === `/${slash}`)) return { kind: "command", text: typed };
  return { kind: "prompt", text: typed, isQueued: false };
}

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

/** The text that the client adds above the output of a command. */
const EXIT_LINE = /^\[Command exited with code -?\d+\]\n?/;
const REFUSED = /\b(?:denied|rejected|cancelled) by (?:the )?user\b|\buser (?:denied|rejected)\b/i;

/**
 * Returns the results of a call, one for each of the calls that it stands for. `question` is its question to the
 * user, if any.
 */
function toolResults({ tool_use_id, content, is_error }: JsonObject, question: string | null): ToolResult[] {
  const id = stringOf(tool_use_id);
  if (question !== null) {
    const answer = stringOf(textOf(content)?.trim());
    const answers = answer === null ? [] : [{ question, answer, notes: null }];
    return [{ ...resultOf(callId(id, 0), is_error === true, ""), answers }];
  }
  const single = typeof content === "string" ? parseObject(content) : null;
  const parts = single ? [single] : objectsOf(content).filter((part) => "query" in part || "success" in part);
  if (parts.length > 0) return parts.map((part, index) => partResult(callId(id, index), part));
  return [resultOf(callId(id, 0), is_error === true, textOf(content) ?? "")];
}

function partResult(id: string | null, part: JsonObject): ToolResult {
  const output = textOf(part.result) ?? "";
  if (part.success !== false) return { ...resultOf(id, false, output), report: stringOf(part.text) };
  const error = stringOf(part.error) ?? "";
  const printed = output.replace(EXIT_LINE, "").trim();
  return resultOf(id, true, REFUSED.test(error) ? "" : printed === "" ? error : printed);
}

/** Returns a text, or the joined texts of a list of blocks. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return stringOf(
    objectsOf(value)
      .flatMap((block) => stringOf(block.text) ?? stringOf(objectOf(block.resource)?.text) ?? [])
      .join("\n"),
  );
}

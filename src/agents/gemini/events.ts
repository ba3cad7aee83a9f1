import type { TranscriptEvent } from "../../ingest/transcript/events.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../../io/json.ts";
import { type About, conversation } from "../conversation.ts";
import { isSubagentCall, toolResult } from "./results.ts";
import { said, textsOf } from "./said.ts";
import { handedIn, toolCall } from "./tools.ts";

/** What the file, its head and git say about a message. */
export type Session = Pick<About, "sessionId" | "agentId" | "cwd" | "timestamp" | "branch">;

/**
 * Returns the event of a message. A message is written again when its tools are done. Its `id` tells which message it
 * replaces.
 */
export function messageEvents(record: JsonObject, session: Session): TranscriptEvent[] {
  const type = stringOf(record.type);
  const uuid = stringOf(record.id);
  const about: About = { ...session, uuid, model: stringOf(record.model) };
  if (type === "user") return [conversation(said(record), about)];
  if (type !== "gemini") return [{ kind: "skipped", reason: type ?? "no_type" }];
  return workEvents(record, about);
}

function workEvents(record: JsonObject, about: About): TranscriptEvent[] {
  const texts: EntryText[] = [
    ...objectsOf(record.thoughts).flatMap(thoughtOf),
    ...textsOf(record.content).map((text) => ({ text, isThinking: false })),
  ];
  const tools = objectsOf(record.toolCalls);
  const calls = tools.flatMap((call) => {
    const name = stringOf(call.name);
    const args = objectOf(call.args);
    if (name === null) return [];
    const words = handedIn(name, args);
    if (words !== null) texts.push({ text: words, isThinking: false });
    return [toolCall(stringOf(call.id), name, args, isSubagentCall(call))];
  });
  const results = tools.flatMap((call) => toolResult(call) ?? []);
  const work = conversation({ kind: "work", texts, calls }, about);
  if (results.length === 0) return [work];
  const uuid = about.uuid ? `${about.uuid}#results` : null;
  return [work, conversation({ kind: "results", results, said: null }, { ...about, uuid })];
}

function thoughtOf({ subject, description }: JsonObject): EntryText[] {
  const text = [stringOf(subject), stringOf(description)].filter(Boolean).join(": ");
  return text === "" ? [] : [{ text, isThinking: true }];
}

/** Returns the summary that replaced a history, in a `$set` of all messages; null when there is none. */
export function snapshotIn(messages: unknown): string | null {
  for (const message of listOf(messages)) {
    const text = textsOf(objectOf(message)?.content).join("\n").trim();
    if (text.startsWith("<state_snapshot>")) return stringOf(withoutTags(text));
  }
  return null;
}

/** `<key_knowledge>words</key_knowledge>` as `key knowledge: words`. */
function withoutTags(text: string): string {
  return text
    .replace(/<\/?state_snapshot>/g, "")
    .replace(/<([a-z_]+)>\s*/g, (_, name: string) => `${name.replaceAll("_", " ")}: `)
    .replace(/(?<!\s)\s*<\/[a-z_]+>/g, "")
    .trim();
}

/** A compaction, with the summary with which the session continues. */
export function compactionEvents(summary: string, uuid: string, about: About): TranscriptEvent[] {
  return [
    conversation({ kind: "compaction", trigger: null, preTokens: null }, about),
    conversation({ kind: "compaction_summary", text: summary }, { ...about, uuid }),
  ];
}

import type { Said } from "../../ingest/transcript/events.ts";
import { asList, asObject, asString, type JsonObject } from "../../io/json.ts";
import { typedPrompt } from "../conversation.ts";

/** Text that the client adds to a prompt for a hook. */
const HOOK_CONTEXT = /^(?:\s*<hook_context>[\s\S]*?(?:<\/hook_context>|$))+/;
/** Start of the file contents that the client adds for `@path`. They continue to the end of the message. */
const REFERENCES = /\n?--- Content from referenced files ---[\s\S]*$/;
/** Starts of texts that the client writes itself. */
const CLIENTS: readonly (readonly [start: string, reason: string])[] = [
  ["<session_context>", "context"],
  ["<state_snapshot>", "context"],
  ["You have stopped calling tools without finishing", "notification"],
  ["System: Please continue.", "notification"],
];
/** The client's message when the model should continue. It starts no new turn, even if a person types it. */
const GO_ON = "Please continue.";

/** Classifies a user message. `displayContent`, if present, is the text that the person saw as typed. */
export function classifyMessage({ content, displayContent }: JsonObject): Said {
  const texts = messageTexts(displayContent ?? content);
  if (texts.length === 0) return skipped(isOnlyResults(content) ? "tool_result" : "no_text");
  const words = texts
    .map((text) => text.replace(HOOK_CONTEXT, ""))
    .join("\n")
    .replace(displayContent === undefined ? REFERENCES : "", "")
    .trim();
  const client = CLIENTS.find(([start]) => words.startsWith(start));
  if (client) return skipped(client[1]);
  return words === GO_ON ? skipped("notification") : typedPrompt(words, "context");
}

/** Returns the texts of a message: a string, or the text parts of a list. */
export function messageTexts(content: unknown): string[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  return asList(content).flatMap((part) =>
    typeof part === "string" ? part : (asString(asObject(part)?.text) ?? []),
  );
}

function isOnlyResults(content: unknown): boolean {
  const parts = asList(content);
  return parts.length > 0 && parts.every((part) => asObject(asObject(part)?.functionResponse) !== null);
}

function skipped(reason: string): Said {
  return { kind: "skipped", reason };
}

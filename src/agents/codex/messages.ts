import type { Message } from "../../ingest/transcript/events.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../io/json.ts";
import { reported } from "./output.ts";

/** Joins the texts of a list of parts. Images and files have none. */
export function textsOf(content: unknown): string {
  return listOf(content)
    .map((part) => stringOf(objectOf(part)?.text))
    .filter((text) => text !== null)
    .join("\n\n");
}

/** Whether a text is what the client tells the model of its surroundings and its rules, in the user's name. */
export function isContext(text: string): boolean {
  return /^\s*<(?:environment_context|user_instructions|permissions instructions|turn_aborted)>|^# AGENTS\.md instructions/.test(
    text,
  );
}

const PAYLOAD = /^[\s\S]*?\nPayload:\n/;

/**
 * Reads a message from one agent to another. A task for this subagent is its prompt, and an answer to it is a report.
 * An encrypted message has no spaces, and is skipped.
 */
export function agentMessage(payload: JsonObject, agentPath: string | null): Message {
  const text = listOf(payload.content)
    .map((part) => objectOf(part))
    .map((part) => stringOf(part?.text) ?? plain(stringOf(part?.encrypted_content)))
    .filter((part) => part !== null)
    .join("");
  const said = text.replace(PAYLOAD, "").trim();
  if (said === "") return { kind: "skipped", reason: "agent_message" };
  if (text.startsWith("Message Type: NEW_TASK")) {
    if (agentPath === null || payload.recipient !== agentPath)
      return { kind: "skipped", reason: "agent_message" };
    return { kind: "prompt", text: said, isQueued: false };
  }
  return { kind: "results", results: [reported(said)], said: null };
}

function plain(text: string | null): string | null {
  return text !== null && /\s/.test(text) ? text : null;
}

/** The paragraph that Codex puts before the summary of a compaction. */
const PREAMBLE =
  /^Another language model started to solve this problem[\s\S]*?(?:your own analysis|summary):\s*/;

/** Returns the summary of a compaction as the model wrote it. */
export function summaryOf(message: unknown): string {
  return typeof message === "string" ? message.replace(PREAMBLE, "").trim() : "";
}

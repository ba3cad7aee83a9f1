import type { Said } from "../../ingest/transcript/events.ts";
import { stringOf } from "../../io/json.ts";
import type { Message } from "./session.ts";

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

import type { Message, Talk } from "./settled-material.ts";

/** Where a conversation took place, and the id of its session. */
export interface Place {
  sessionId: string;
  cwd: string;
}

const STEP_MS = 40_000;
/** A person reads what was answered before they write again. */
const PAUSE_MS = 240_000;

/** Returns the lines of the transcript that Claude Code would have left of a conversation. */
export function transcriptOf(talk: Talk, { sessionId, cwd }: Place): string[] {
  const lines: string[] = [];
  let time = Date.parse(talk.at);
  let parentUuid: string | null = null;
  const add = (type: "user" | "assistant", message: object) => {
    const uuid = uuidOf(`${sessionId} ${lines.length}`);
    lines.push(
      JSON.stringify({
        ...{ parentUuid, isSidechain: false, type, message, uuid, timestamp: new Date(time).toISOString() },
        ...{ userType: "external", entrypoint: "cli", cwd, sessionId, version: "2.1.330" },
        gitBranch: talk.branch,
      }),
    );
    parentUuid = uuid;
    time += STEP_MS;
  };
  for (const [i, message] of talk.messages.entries()) {
    if ("user" in message) {
      if (i > 0) time += PAUSE_MS;
      add("user", { role: "user", content: message.user });
      continue;
    }
    const call = callOf(message, cwd);
    const toolId = `toolu_${hexOf(`${sessionId} ${i}`).slice(0, 24)}`;
    add("assistant", {
      ...{
        id: messageId(talk, i, sessionId),
        type: "message",
        role: "assistant",
        model: "claude-sonnet-4-5",
      },
      content: [call ? { type: "tool_use", id: toolId, ...call } : wordsBlock(message)],
      stop_reason: endsTurn(talk, i) ? "end_turn" : "tool_use",
    });
    if (call) add("user", { role: "user", content: [resultOf(message, toolId)] });
  }
  return lines;
}

/** Returns a UUID that is always the same for the same text. */
export function uuidOf(seed: string): string {
  const hex = hexOf(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function hexOf(seed: string): string {
  return new Bun.CryptoHasher("sha256").update(seed).digest("hex");
}

/** Words and the tool call that follows them are one message of the API; the next begins after the call's result. */
function messageId({ messages }: Talk, at: number, sessionId: string): string {
  let first = at;
  while (first > 0 && isWordsOfAgent(messages[first - 1])) first--;
  return `msg_${hexOf(`${sessionId} message ${first}`).slice(0, 24)}`;
}

/** The agent's turn ends with the message after which no tool is called before the user speaks. */
function endsTurn({ messages }: Talk, at: number): boolean {
  const next = messages.slice(at).find((message) => !isWordsOfAgent(message));
  return next === undefined || "user" in next;
}

function isWordsOfAgent(message: Message | undefined): boolean {
  return message !== undefined && ("agent" in message || "thinks" in message);
}

function wordsBlock(message: Message): object {
  if ("thinks" in message) return { type: "thinking", thinking: message.thinks, signature: "EuYB" };
  return { type: "text", text: "agent" in message ? message.agent : "" };
}

function callOf(message: Message, cwd: string): { name: string; input: object } | undefined {
  if ("read" in message) return { name: "Read", input: { file_path: `${cwd}/${message.read}` } };
  if ("grep" in message)
    return {
      name: "Grep",
      input: { pattern: message.grep, path: message.in, output_mode: "content" },
    };
  if ("run" in message) return { name: "Bash", input: { command: message.run } };
  if ("edit" in message)
    return {
      name: "Edit",
      input: { file_path: `${cwd}/${message.edit}`, old_string: message.old, new_string: message.new },
    };
  return undefined;
}

function resultOf(message: Message, toolId: string): object {
  const shown =
    "edit" in message
      ? `The file ${message.edit} has been updated successfully.`
      : "shows" in message
        ? message.shows
        : "";
  const failed = "run" in message && message.failed === true;
  return { tool_use_id: toolId, type: "tool_result", content: shown, ...(failed && { is_error: true }) };
}

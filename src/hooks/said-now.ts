import type { RunningTurn } from "../agents/running-turn.ts";
import { lazily } from "../lazily.ts";
import type { HookCall } from "./hook.ts";

/** With less time than this before the deadline, the transcript is not read, in ms. */
const MIN_TIME_MS = 100;

/**
 * Returns what reads, once, the end of the asking session's transcript: the memory may not have it yet. The text is empty
 * where the transcript says nothing or cannot be read, and where little time is left.
 */
export function saidNow({
  payload,
  timeLeftMs,
}: Pick<HookCall, "payload" | "timeLeftMs">): () => Promise<string> {
  return lazily(async () => {
    const { client, transcript_path: path, prompt } = payload;
    if (path === null || timeLeftMs() < MIN_TIME_MS) return "";
    const { runningTurn } = await import("../agents/running-turn.ts");
    const running = await runningTurn(client, path).catch(() => null);
    if (running === null) return "";
    // What is asked now is no part of what was said before it.
    const texts = isAsked(running, prompt ?? "")
      ? [running.before, running.said]
      : [running.before, running.prompt, running.said];
    return texts.filter((text) => text !== "").join("\n");
  });
}

/**
 * Whether a transcript ends in the prompt that is asked: it may stand there already, with passages that the client added, or
 * from a first try.
 */
function isAsked({ prompt, said }: RunningTurn, asked: string): boolean {
  const [written, given] = [oneLine(prompt), oneLine(asked)];
  return given.includes(written) || (said === "" && written.includes(given));
}

function oneLine(text: string): string {
  return text.split(/\s+/).join(" ").trim();
}

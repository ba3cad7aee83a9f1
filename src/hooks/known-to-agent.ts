import type { RunningTurn } from "../agents/running.ts";
import { lazily } from "../lazily.ts";
import type { Paragraph } from "../recall/statement/held.ts";
import type { Runtime } from "../runtime.ts";
import type { HookCall } from "./hook.ts";

/** With less time than this before the deadline, no instructions are read, in ms. */
const MIN_TIME_MS = 50;

/**
 * Returns a test of whether the instructions of the agent `client` in a project, or its own memory, have a statement.
 * They are read once, when there is a first statement to tell.
 */
export function instructedTo(
  client: string,
  memory: Runtime,
  timeLeftMs: () => number,
): (statement: string) => Promise<boolean> {
  let read: Promise<readonly Paragraph[]> | undefined;
  return async (statement) => {
    read ??= instructions(client, memory, () => timeLeftMs() < MIN_TIME_MS);
    const [paragraphs, { isContained }] = [await read, await import("../recall/statement/held.ts")];
    return timeLeftMs() > 0 && isContained(statement, paragraphs);
  };
}

/** Instructions that cannot be read must not keep a hook from telling. */
async function instructions(client: string, memory: Runtime, isLate: () => boolean): Promise<Paragraph[]> {
  if (isLate()) return [];
  const { host, project, memory: place } = memory;
  const [{ indexedParagraphs, projectInstructions }, { nativeMemory }] = await Promise.all([
    import("../recall/instructions.ts"),
    import("../agents/running.ts"),
  ]);
  const files = [...projectInstructions(project), ...(await nativeMemory(client, project.root, host))];
  try {
    return indexedParagraphs(files, place.directory, isLate);
  } catch (error) {
    (await memory.log()).warn("instructions", { error });
    return [];
  }
}

/** With less time than this before the deadline, the transcript is not read, in ms. */
const SAID_MIN_TIME_MS = 100;

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
    if (path === null || timeLeftMs() < SAID_MIN_TIME_MS) return "";
    const { runningTurn } = await import("../agents/running.ts");
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

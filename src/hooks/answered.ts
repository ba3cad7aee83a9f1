import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { statIfExists } from "../io/read.ts";
import type { HookPayload } from "./payload.ts";

/** Hooks that an agent finds in several settings run within this time of each other, in ms. */
const SAME_PROMPT_MS = 20_000;

/**
 * Returns whether this call is the first one for its prompt. An agent may find mementor's hook in its own settings,
 * in those of the project and in those of Claude Code, and run it each time. `directory` is that of the memory. A
 * later worker deletes the marks.
 */
export function claimPrompt(directory: string, payload: HookPayload, now: Date): boolean {
  const { session_id: session, prompt, turn_id: turn } = payload;
  const key = JSON.stringify([session, typeof turn === "string" ? turn : null, prompt]);
  const hash = new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 32);
  const queue = join(directory, "queue");
  const mark = join(queue, `${hash}.prompt.done`);
  try {
    mkdirSync(queue, { recursive: true, mode: 0o700 });
    const made = statIfExists(mark)?.mtimeMs;
    if (made !== undefined && now.getTime() - made > SAME_PROMPT_MS) rmSync(mark, { force: true });
    writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    // If no mark can be made, a repeated answer is better than none.
    return !(error instanceof Error && "code" in error && error.code === "EEXIST");
  }
}

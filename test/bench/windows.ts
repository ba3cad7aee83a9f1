import { resolve } from "node:path";
import { discoverTranscripts } from "../../src/agents/claude-code/agent.ts";
import { type SessionFiles, sessionFiles } from "./memory.ts";

/** How many sessions a window holds; `all` is the whole corpus. */
export type WindowSize = number | "all";

/** Reads `1,3,10,all`. */
export function parseSizes(text: string): WindowSize[] {
  return text.split(",").map((size) => {
    if (size === "all") return size;
    const count = Number(size);
    if (!Number.isInteger(count) || count < 1) throw new Error(`--sizes: "${size}" is no number of sessions`);
    return count;
  });
}

/** Cuts a corpus into windows of consecutive sessions of about equal size; none for a size that is nearly all of it. */
export async function windowsOf(corpusDir: string, size: WindowSize): Promise<SessionFiles[][]> {
  const sessions = sessionFiles((await Array.fromAsync(discoverTranscripts(resolve(corpusDir)))).sort());
  if (size === "all") return [sessions];
  const count = Math.round(sessions.length / size);
  if (count < 2) return [];
  return Array.from({ length: count }, (_, i) =>
    sessions.slice(
      Math.floor((i * sessions.length) / count),
      Math.floor(((i + 1) * sessions.length) / count),
    ),
  );
}

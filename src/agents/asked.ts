import type { AskedQuestion } from "./claude-code/asked.ts";

export type { AskedQuestion } from "./claude-code/asked.ts";

/** Returns what an agent asked this program in lines of its transcript; null where its records are not known. */
export async function askedIn(client: string, lines: readonly string[]): Promise<AskedQuestion[] | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/asked.ts")).askedIn(lines);
}

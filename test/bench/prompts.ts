import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import { claudeCode, discoverTranscripts } from "../../src/agents/claude-code/agent.ts";

const LABELLED = v.object({
  query: v.string(),
  kind: v.optional(v.string(), "unrelated"),
  sessions: v.optional(v.array(v.string()), []),
  /** Files that it is about. */
  paths: v.optional(v.array(v.string()), []),
});

export type LabelledQuery = v.InferOutput<typeof LABELLED>;

/** Reads a file of one query a line: `{"query", "kind"?, "sessions"?}`. */
export function readQueries(file: string): LabelledQuery[] {
  return readFileSync(resolve(file), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => v.parse(LABELLED, JSON.parse(line)));
}

/** Returns what people typed in the transcripts below a directory, each once, evenly thinned out to `most`. */
export async function humanPrompts(directory: string, most: number): Promise<string[]> {
  const prompts = new Set<string>();
  const read = await claudeCode.reader();
  for await (const path of discoverTranscripts(resolve(directory))) {
    const steps = read(path, { from: null, rootsOf: () => [], redact: (text) => text });
    for await (const { turns } of steps)
      for (const { origin, role, entries } of turns)
        if (origin === "human" && role === "turn")
          prompts.add((entries[0]?.texts ?? []).map(({ text }) => text).join("\n"));
  }
  const all = [...prompts].filter((prompt) => prompt !== "");
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * step)] ?? "");
}

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { discoverTranscripts } from "../../../src/agents/claude-code/agent.ts";
import { countTranscripts } from "../../support/count-transcripts.ts";
import { promptedTurns, readAll } from "../../support/read-turns.ts";

const SHAPES = join(import.meta.dir, "../../../fixtures/transcripts/shapes");
/** Prompts that only the attachment of a queued command tells, or that stand beside a tool result, are not in the naive count. */
const KNOWN = {
  "queued-command.jsonl": 2,
  "prompts-like-entries.jsonl": 1,
  "own-context.jsonl": -1,
} as Record<string, number>;

const files = await Array.fromAsync(discoverTranscripts(SHAPES));

test.each(files.map((file) => [file.slice(SHAPES.length + 1), file] as const))("%s", async (name, file) => {
  const { steps } = await readAll(file);
  const lines = readFileSync(file, "utf8").split("\n");
  const prompts = promptedTurns(steps).filter(({ lineIndex }) => !lines[lineIndex]?.includes("<command-"));
  const counts = countTranscripts([file]);
  expect(prompts.length - (KNOWN[name] ?? 0)).toBe(counts.prompts);
  expect(steps.flatMap(({ prLinks }) => prLinks).length).toBe(
    name === "pr-links.jsonl" ? counts.prLinks - 1 : counts.prLinks,
  );
  expect(steps.flatMap(({ compactions }) => compactions).length).toBe(counts.compactions);
});

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { discoverTranscripts } from "../../src/agents/claude-code/agent.ts";
import { countTranscripts } from "../support/count-transcripts.ts";
import { promptedTurns, readAll } from "../support/read-turns.ts";
import { TestMemory } from "./memory.ts";

const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample");
/** More to count, separated by colons; nothing is needed. */
const MORE = (process.env.MEMENTOR_TEST_CORPORA ?? "").split(":").filter((path) => path !== "");

/** Prompts that the naive count leaves out: commands that led to work, and what was only queued. */
const NOT_COUNTED = /<command-|"queued_command"/;

const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);

test.each([SAMPLE, ...MORE])(
  "the report of %s adds up, and agrees with an independent count",
  async (corpus) => {
    const paths = await Array.fromAsync(discoverTranscripts(corpus));
    await using memory = await TestMemory.create();
    const { files, lines, turns } = await memory.ingest(paths, { textOnly: true });
    expect(files).toEqual({ read: paths.length, unchanged: 0, rewritten: 0, failed: 0, excluded: 0 });
    expect(lines.total).toBe(lines.indexed + sum(Object.values(lines.skipped)));

    const counts = countTranscripts(paths);
    expect(lines.total - (lines.skipped.blank ?? 0) + halfWritten(paths)).toBe(counts.lines);
    const db = new Database(memory.file, { readonly: true });
    const stored = (sql: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()?.n;
    expect(stored("turns")).toBe(turns.inserted);
    expect(stored("compactions")).toBe(counts.compactions);
    db.close();

    let [prompts, prLinks] = [0, 0];
    for (const path of paths) {
      const { steps } = await readAll(path);
      const lines = readFileSync(path, "utf8").split("\n");
      prLinks += steps.flatMap((step) => step.prLinks).length;
      prompts += promptedTurns(steps).filter(
        ({ lineIndex }) => !NOT_COUNTED.test(lines[lineIndex] ?? ""),
      ).length;
    }
    const agents = new Set(
      paths.filter((path) => path.includes("/agent-")).map((path) => path.split("/").at(-1)),
    );
    expect({ prompts, prLinks, agents: agents.size }).toEqual({
      prompts: counts.prompts,
      prLinks: counts.prLinks,
      agents: counts.subagents,
    });
  },
  600_000,
);

/** Last lines that are left for when they are complete. */
function halfWritten(paths: readonly string[]): number {
  return paths.filter((path) => {
    const last = readFileSync(path, "utf8").split("\n").at(-1) ?? "";
    if (last.trim() === "") return false;
    try {
      return JSON.parse(last) === undefined;
    } catch {
      return true;
    }
  }).length;
}

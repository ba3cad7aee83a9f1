import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import fc from "fast-check";
import type { ReadCursor, SessionFacts, Turn } from "../../../src/domain.ts";
import { fcOptions } from "../../support/fast-check.ts";
import { type ReadResult, readAll } from "../../support/read-turns.ts";
import { transcript } from "../../support/transcript-arbitrary.ts";

const folder = mkdtempSync(join(tmpdir(), "mementor-read-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SHAPES = join(import.meta.dir, "../../../fixtures/transcripts/shapes");
const shapes = [...new Glob("*.jsonl").scanSync(SHAPES)].sort();

/** What a store would hold: turns by their place, facts by their session; later writes win. */
class Memory {
  readonly turns = new Map<string, Turn>();
  readonly sessions = new Map<string, SessionFacts>();
  readonly others = new Set<string>();

  add({ steps, turns }: ReadResult): void {
    for (const turn of turns)
      this.turns.set(`${turn.sessionId} ${turn.lineIndex} ${turn.agentId ?? ""}`, turn);
    for (const step of steps) {
      for (const facts of step.sessions) this.sessions.set(facts.sessionId, facts);
      for (const fact of [...step.prLinks, ...step.compactions]) this.others.add(JSON.stringify(fact));
    }
  }

  sorted() {
    const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
    return {
      turns: [...this.turns].sort(byKey),
      sessions: [...this.sessions].sort(byKey),
      others: [...this.others].sort(),
    };
  }
}

async function inPieces(bytes: Buffer, cuts: readonly number[], stepBytes: number) {
  const path = join(folder, "5e550000-0000-4000-8000-000000000001.jsonl");
  const memory = new Memory();
  let cursor: ReadCursor | null = null;
  let lines = null;
  for (const end of [...cuts, bytes.length]) {
    writeFileSync(path, bytes.subarray(0, end));
    const read = await readAll(path, { from: cursor, stepBytes });
    memory.add(read);
    cursor = read.last.cursor;
    lines = read.last.lines;
  }
  return {
    ...memory.sorted(),
    lines,
    end: cursor && [cursor.byteOffset, cursor.lineIndex, cursor.resumeOffset],
  };
}

const cutsOf = (length: number) =>
  fc.array(fc.integer({ min: 0, max: length }), { maxLength: 6 }).map((cuts) => cuts.sort((a, b) => a - b));

test.each(shapes)("%s reads the same in pieces as in one go", async (shape) => {
  const bytes = readFileSync(join(SHAPES, shape));
  const whole = await inPieces(bytes, [], 1 << 20);
  const check = async (cuts: number[], stepBytes: number) =>
    expect(await inPieces(bytes, cuts, stepBytes)).toEqual(whole);
  await fc.assert(
    fc.asyncProperty(cutsOf(bytes.length), fc.constantFrom(1, 400, 1 << 20), check),
    fcOptions(1 / 10),
  );
});

test("any transcript reads the same in pieces as in one go", async () => {
  const cases = transcript.chain((text) => {
    const bytes = Buffer.from(text);
    return fc.tuple(fc.constant(bytes), cutsOf(bytes.length), fc.constantFrom(1, 700, 1 << 20));
  });
  await fc.assert(
    fc.asyncProperty(cases, async ([bytes, cuts, stepBytes]) => {
      expect(await inPieces(bytes, cuts, stepBytes)).toEqual(await inPieces(bytes, [], 1 << 20));
    }),
    fcOptions(),
  );
}, 600_000);

test("what another session's earlier turn holds is not read again while one is open", async () => {
  const entry = (session: number, type: "user" | "assistant", content: unknown, more: object = {}) => {
    const sessionId = `5e550000-0000-4000-8000-00000000000${session}`;
    return {
      type,
      message: { role: type, content },
      sessionId,
      cwd: "/w",
      uuid: crypto.randomUUID(),
      ...more,
    };
  };
  const call = [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "bun test" } }];
  const failure = [{ type: "tool_result", tool_use_id: "t1", content: "exit 1", is_error: true }];
  const entries = [
    entry(1, "user", "Open from here on"),
    entry(2, "user", "Run the tests"),
    entry(2, "assistant", call),
    entry(2, "user", failure),
    entry(2, "assistant", [{ type: "text", text: "One fails" }]),
    entry(1, "assistant", [{ type: "text", text: "Still at it" }]),
    entry(2, "user", "<command-name>/review</command-name><command-args>all</command-args>"),
    entry(2, "user", "Summary", { isCompactSummary: true }),
    entry(2, "user", "Mend it"),
    entry(1, "assistant", [{ type: "text", text: "And still" }]),
    entry(2, "assistant", [{ type: "text", text: "Mended" }]),
    entry(1, "user", "Thanks"),
  ];
  const lines = entries.map((one) => `${JSON.stringify(one)}\n`);
  const bytes = Buffer.from(lines.join(""));
  const ends = lines.map((_, i) => Buffer.byteLength(lines.slice(0, i + 1).join("")));
  const whole = await inPieces(bytes, [], 1 << 20);
  expect(whole.turns.map(([, { sessionId, lineIndex }]) => [sessionId.at(-1), lineIndex])).toEqual([
    ["1", 0],
    ["1", 11],
    ["2", 1],
    ["2", 7],
    ["2", 8],
  ]);
  for (const stepBytes of [1, 1 << 20]) {
    expect(await inPieces(bytes, ends, stepBytes)).toEqual(whole);
    for (const end of ends) expect(await inPieces(bytes, [end], stepBytes)).toEqual(whole);
  }
});

test("a step's cursor is enough to go on after a stop", async () => {
  const path = join(SHAPES, "two-sessions.jsonl");
  const whole = new Memory();
  const { steps } = await readAll(path, { stepBytes: 1 });
  whole.add(await readAll(path));
  for (const [stopped] of steps.entries()) {
    const resumed = new Memory();
    const before = await readAll(path, { stepBytes: 1 });
    const kept = before.steps.slice(0, stopped + 1);
    const turns = before.turns.filter(({ lineIndex }) =>
      kept.some((step) => step.turns.some((t) => t.lineIndex === lineIndex)),
    );
    resumed.add({ ...before, steps: kept, turns });
    resumed.add(await readAll(path, { from: kept.at(-1)?.cursor ?? null }));
    expect(resumed.sorted()).toEqual(whole.sorted());
  }
});

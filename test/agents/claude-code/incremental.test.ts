import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import fc from "fast-check";
import type { SessionFacts, Turn } from "../../../src/domain.ts";
import type { ReadCursor } from "../../../src/transcript/transcript.ts";
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
    fcOptions(),
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

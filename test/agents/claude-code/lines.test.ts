import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { RECORD_SHAPE } from "../../../src/agents/claude-code/entry.ts";
import { ClaudeCodeLines } from "../../../src/agents/claude-code/reader.ts";
import { LineReader } from "../../../src/ingest/transcript/lines.ts";
import { lineObjects } from "../../../src/ingest/transcript/objects.ts";
import { parseState } from "../../../src/ingest/transcript/state.ts";
import { fcOptions } from "../../support/fast-check.ts";

const folder = mkdtempSync(join(tmpdir(), "mementor-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "lines.jsonl");

const KEPT = ["user", "assistant", "system", "attachment", "summary", "custom-title", "ai-title", "pr-link"];

/** Whether the reader skips a line without parsing it. */
function isSkipped(...entries: object[]): boolean {
  writeFileSync(path, `${entries.map((entry) => JSON.stringify(entry)).join("")}\n`);
  const lines = new LineReader(path, 0);
  lines.fill();
  lines.next();
  const kind = new ClaudeCodeLines(path, { ...parseState(null), sessions: [] }).passOver(lines);
  lines.close();
  return kind !== null;
}

test("a line of a kind without words is passed over, unless more may follow in it", () => {
  const progress = { cwd: "/a", parentUuid: null, isSidechain: false, type: "progress", data: { type: "x" } };
  const prompt = { type: "user", message: { role: "user", content: "Fix it" } };
  expect(isSkipped(progress)).toBe(true);
  expect(isSkipped(progress, prompt)).toBe(false);
  expect(isSkipped(prompt)).toBe(false);
});

test("a line is passed over only when its entry is of another kind", () => {
  const text = fc.constantFrom("a", '"type":"progress"', '}{"', '\\"', "\\", "é🙂", '"}]}', ",", "");
  const types = fc.constantFrom(...KEPT, "progress", "progressive", "users", "user-x", "mode", "a b");
  const scalars = fc.dictionary(
    fc.constantFrom("cwd", "slug", "isSidechain", "version"),
    fc.oneof(text, fc.boolean(), fc.constant(null), fc.double({ noNaN: true })),
  );
  const entries = fc.record({ scalars, types, behind: fc.jsonValue(), behindFirst: fc.boolean() });
  let skipped = 0;
  fc.assert(
    fc.property(entries, ({ scalars, types: type, behind, behindFirst }) => {
      const entry = behindFirst ? { ...scalars, behind, type } : { ...scalars, type, behind };
      if (!isSkipped(entry)) return;
      skipped += 1;
      expect(KEPT).not.toContain(type);
    }),
    // Of few cases it could be that none is passed over.
    fcOptions(4),
  );
  expect(skipped).toBeGreaterThan(0);
});

test("objects on one line are separated, whatever they contain", () => {
  const objects = fc.array(fc.record({ type: fc.string(), sessionId: fc.constant("s"), x: fc.jsonValue() }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(objects, fc.constantFrom("", " ", "\t"), (all, between) => {
      const text = all.map((object) => JSON.stringify(object)).join(between);
      expect(lineObjects(text, RECORD_SHAPE)).toEqual({
        objects: JSON.parse(JSON.stringify(all)),
        startsWhole: true,
        trouble: null,
      });
    }),
    fcOptions(),
  );
});

test("an object inside a truncated entry is not an entry", () => {
  const inner = { type: "user", message: { role: "user", content: "said to a subagent" }, uuid: "u" };
  const outer = JSON.stringify({ type: "progress", sessionId: "s", data: { message: inner }, uuid: "v" });
  for (let length = 1; length < outer.length; length++)
    expect(lineObjects(outer.slice(0, length), RECORD_SHAPE).objects).toEqual([]);
});

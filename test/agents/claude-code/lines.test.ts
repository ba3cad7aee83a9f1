import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { RECORD_SHAPE } from "../../../src/agents/claude-code/entry.ts";
import { isPassedOver, lineHead, scanToolResults } from "../../../src/agents/claude-code/entry-type.ts";
import { textWithoutImages } from "../../../src/agents/claude-code/reader.ts";
import { READ } from "../../../src/constants.ts";
import { objectsOf } from "../../../src/ingest/transcript/json-lines.ts";
import { LineReader } from "../../../src/ingest/transcript/lines.ts";
import { lineObjects } from "../../../src/ingest/transcript/objects.ts";
import { fcOptions } from "../../support/fast-check.ts";

const folder = mkdtempSync(join(tmpdir(), "mementor-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "lines.jsonl");

/** What a full parse says about a line that may be passed over. */
function mustBeParsed(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return true;
  const { type, message } = entry as { type?: unknown; message?: { content?: unknown } };
  if (type !== "user") return typeof type !== "string" || !isPassedOver(type);
  const content = message?.content;
  if (!Array.isArray(content) || content.length === 0) return true;
  return content.some((block) => block?.type !== "tool_result" || block.is_error === true);
}

/** Whether the reader skips an entry without parsing its line. */
function isSkipped(entry: object): boolean {
  writeFileSync(path, `${JSON.stringify(entry)}\n`);
  const lines = new LineReader(path, 0);
  lines.fill();
  lines.next();
  const head = lineHead(lines);
  lines.close();
  if (head === null) return false;
  if (isPassedOver(head.type)) return true;
  return head.blocksAt !== null && scanToolResults(lines.bytes, head.blocksAt, lines.end) !== null;
}

const result = { tool_use_id: "t1", type: "tool_result", content: '"}]} and "is_error":true' };
const asUser = (content: unknown) => ({ type: "user", message: { role: "user", content } });

test.each<[string, object]>([
  ["progress", { cwd: "/a", type: "progress", data: { type: "bash_progress" } }],
  ["a tool result", asUser([result])],
  ["tool results that say that they are no errors", asUser([result, { ...result, is_error: false }])],
])("%s is passed over", (_, entry) => {
  expect(isSkipped(entry)).toBe(true);
});

test.each<[string, object]>([
  ["a prompt", asUser("Fix it")],
  ["an answer", { type: "assistant", message: { role: "assistant", content: [] } }],
  ["a failed tool result", asUser([{ ...result, is_error: true }])],
  ["a tool result beside text", asUser([result, { type: "text", text: "Fix it" }])],
])("%s is parsed", (_, entry) => {
  expect(isSkipped(entry)).toBe(false);
});

test("a line is passed over only when a parse would find nothing in it", () => {
  const text = fc.constantFrom(
    "a",
    '"type":"progress"',
    '}{"',
    '\\"',
    "\\",
    '"is_error":true',
    "é🙂",
    '"}]}',
    ",",
    "",
  );
  const block = fc.oneof(
    fc.record({
      tool_use_id: text,
      type: fc.constant("tool_result"),
      content: fc.oneof(text, fc.array(fc.record({ type: fc.constant("text"), text }))),
    }),
    fc.record({ type: fc.constant("tool_result"), tool_use_id: text, content: text, is_error: fc.boolean() }),
    fc.record({ type: fc.constant("text"), text }),
    fc.jsonValue(),
  );
  const kept = ["user", "user", "user", "assistant", "system"];
  const types = fc.constantFrom(...kept, "progress", "progressive", "users", "user-x", "mode", "a b");
  const scalars = fc.dictionary(
    fc.constantFrom("cwd", "slug", "isSidechain", "version"),
    fc.oneof(text, fc.boolean()),
  );
  const message = fc.record({
    role: fc.constant("user"),
    content: fc.oneof(text, fc.array(block, { maxLength: 3 })),
  });
  const entries = fc.record({ scalars, types, message, behind: fc.jsonValue(), messageFirst: fc.boolean() });
  let skipped = 0;
  fc.assert(
    fc.property(entries, ({ scalars, types: type, message, behind, messageFirst }) => {
      const entry = messageFirst
        ? { ...scalars, message, type, toolUseResult: behind }
        : { ...scalars, type, message, toolUseResult: behind };
      if (!isSkipped(entry)) return;
      skipped += 1;
      expect(mustBeParsed(entry)).toBe(false);
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

/** What is read of a file that is one line. */
function objectsIn(line: string) {
  writeFileSync(path, `${line}\n`);
  const lines = new LineReader(path, 0);
  while (!lines.next()) lines.fill();
  lines.close();
  return objectsOf(lines, { shape: RECORD_SHAPE, shortText: textWithoutImages });
}

function pictured(type: string, data: string) {
  const image = { type: "image", source: { type: "base64", media_type: type, data } };
  const content = [{ type: "text", text: "é before" }, image, { type: "text", text: "between" }, image];
  return { type: "user", sessionId: "s", message: { role: "user", content }, uuid: "u" };
}

test("the data of pictures is not parsed, and all that is beside it is", () => {
  const data = "iVBORw0KGgo=".repeat(READ.blockBytes / 4);
  for (const type of ["image/png", "image/svg+xml"])
    expect(objectsIn(JSON.stringify(pictured(type, data)))).toEqual({
      objects: [pictured(type, "")],
      startsWhole: true,
      trouble: null,
    });
  const elsewhere = [pictured("text/plain", data), { type: "user", data }, pictured("image/png", "small")];
  for (const entry of elsewhere) expect(objectsIn(JSON.stringify(entry)).objects).toEqual([entry]);
});

test("an entry after one that was truncated inside an image is found", () => {
  const entry = pictured("image/png", "iVBORw0KGgo=".repeat(READ.blockBytes / 4));
  const line = JSON.stringify(entry);
  const behind = { type: "user", sessionId: "s", message: { role: "user", content: "said" } };
  const cut = line.slice(0, READ.blockBytes) + JSON.stringify(behind);
  expect(objectsIn(cut)).toEqual(lineObjects(cut, RECORD_SHAPE));
  expect(objectsIn(line + JSON.stringify(behind))).toEqual(
    lineObjects(line + JSON.stringify(behind), RECORD_SHAPE),
  );
  expect(objectsIn(line.slice(0, -1)).objects).toEqual([]);
});

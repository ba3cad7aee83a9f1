import { expect, test } from "bun:test";
import fc from "fast-check";
import { hasLine, withLine, withoutLine } from "../../../src/project/promote.ts";

const LINE = "2026-11-10: Größe zählt in Bytes.";
const bytes = (text: string) => Buffer.from(text, "utf8");
const added = (text: string) => Buffer.from(withLine(bytes(text), LINE).content).toString("utf8");

test("a line becomes a paragraph of its own at the end, with the file's ends of lines", () => {
  expect(added("")).toBe(`${LINE}\n`);
  expect(added("# Rules\n- a\n")).toBe(`# Rules\n- a\n\n${LINE}\n`);
  expect(added("# Rules\n\n")).toBe(`# Rules\n\n${LINE}\n`);
  expect(added("# Rules\r\n")).toBe(`# Rules\r\n\r\n${LINE}\r\n`);
  expect(added("# Rules")).toBe(`# Rules\n\n${LINE}`);
});

test("taken out again in any order, lines leave every byte that was there", () => {
  const end = fc.constantFrom("", "\n", "\n\n", "\r\n", "\r\n\r\n", " \n", "\n\n\n");
  const content = fc
    .tuple(fc.uint8Array(), end)
    .map(([bytes, end]) => Buffer.concat([bytes, Buffer.from(end)]));
  fc.assert(
    fc.property(content, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (content, order) => {
      let now: Uint8Array = content;
      const lines = ["2026-01-01: a b", "2026-01-02: ä", "2026-01-03: c"].map((line) => {
        const made = withLine(now, line);
        now = made.content;
        return made.added;
      });
      for (const at of order) {
        const line = lines[at];
        if (line === undefined) throw new Error("no line");
        expect(hasLine(now, line)).toBe(true);
        now = withoutLine(now, line) ?? new Uint8Array();
        expect(hasLine(now, line)).toBe(false);
      }
      expect([...now]).toEqual([...content]);
    }),
  );
});

test("what was written after the line stays, and a line that was changed is left alone", () => {
  const made = withLine(bytes("# Rules"), LINE);
  const more = Buffer.concat([made.content, bytes("\nmore\n")]);
  expect(Buffer.from(withoutLine(more, made.added) ?? []).toString()).toBe("# Rules\nmore\n");
  expect(withoutLine(bytes(`# Rules\n\n${LINE}!\n`), made.added)).toBeNull();
});

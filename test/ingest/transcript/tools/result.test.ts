import { expect, test } from "bun:test";
import fc from "fast-check";
import { reportEnd } from "../../../../src/ingest/transcript/tools/values.ts";
import { fcOptions } from "../../../support/fast-check.ts";

test("a short report is kept whole, of a long one the end from a paragraph on", () => {
  expect(reportEnd("\n Found it.\n\nIn a.ts. \n")).toBe("Found it.\n\nIn a.ts.");
  const end = `${"x ".repeat(300)}\n\nThe conclusion.`.trim();
  expect(reportEnd(`${"y".repeat(3_000)}\n\n${end}`)).toBe(end);
  expect(reportEnd(`${"y".repeat(3_000)}\n${end}`)).toBe(end);
  expect(reportEnd(`${"word ".repeat(1_000)}end`)).toMatch(/^word .* end$/);
  expect(reportEnd("y".repeat(3_000))).toBe("y".repeat(800));
});

test("the end of any report is bounded, whole characters, and of the report", () => {
  const text = fc.string({ unit: "grapheme", minLength: 0, maxLength: 4_000 });
  fc.assert(
    fc.property(text, (report) => {
      const end = reportEnd(report);
      expect(end.length).toBeLessThanOrEqual(800);
      expect(end.isWellFormed()).toBe(report.isWellFormed());
      expect(report.includes(end)).toBe(true);
    }),
    fcOptions(),
  );
});

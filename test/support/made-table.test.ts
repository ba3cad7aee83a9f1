import { expect, test } from "bun:test";
import { withRows } from "./made-table.ts";

const TABLE = {
  start: "<!-- Made by a test. -->",
  head: ["system", "tried"],
  place: ([name = ""]: readonly string[]) => ["one", "two", "three"].indexOf(name),
};

test("a row replaces the one of its name, the others stay, and all are in their order", () => {
  const empty = `# A\n${TABLE.start}\n<!-- End -->\nB\n`;
  const first = withRows(empty, TABLE, [
    ["three", ""],
    ["one", "1.0.0"],
  ]);
  expect(
    withRows(first, TABLE, [
      ["two", "1.1.0"],
      ["one", "1.2.0"],
    ]).split("\n"),
  ).toEqual([
    "# A",
    TABLE.start,
    "| system | tried |",
    "| --- | --- |",
    "| one | 1.2.0 |",
    "| two | 1.1.0 |",
    "| three |  |",
    "<!-- End -->",
    "B",
    "",
  ]);
});

test("a page without the mark is refused", () => {
  expect(() => withRows("# A\n", TABLE, [])).toThrow("the text has no <!-- Made by a test. -->");
});

import { expect, test } from "bun:test";
import { styleFor } from "../../../src/cli/terminal/screen.ts";
import { renderColumns, renderFacts } from "../../../src/cli/terminal/table.ts";

test("lines stand in one column, whatever colours and wide characters their labels have", () => {
  const terminal = styleFor({ isTerminal: true }, { LANG: "C.UTF-8", TERM: "xterm" });
  const facts = renderFacts([
    [terminal.green("Enabled"), ["/home/me/shop", "here"]],
    ["記憶", ["kept"]],
    ["None", []],
  ]);
  expect(facts).toContain("\x1b[");
  expect(Bun.stripANSI(facts)).toBe("Enabled   /home/me/shop\n          here\n記憶      kept\n");
});

test("columns are as wide on a terminal as their widest cell", () => {
  expect(
    renderColumns([
      ["記憶", "a"],
      ["e\u0301t", "b"],
      ["שלום", "c"],
    ]),
  ).toEqual(["記憶  a", "e\u0301t    b", "שלום  c"]);
});

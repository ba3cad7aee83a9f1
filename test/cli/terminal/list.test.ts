import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LEFT_OUT_FIRST, renderList } from "../../../src/cli/terminal/list.ts";
import { styleFor } from "../../../src/cli/terminal/screen.ts";

const style = styleFor({ isTerminal: false }, { LANG: "C.UTF-8" });

test("columns that may go are left out in the written order, and no other", () => {
  const going = LEFT_OUT_FIRST.map((title) => ({ title, mayGo: true as const }));
  const columns = [{ title: "TURN" }, ...going.toReversed(), { title: "PROMPT", cut: "end" as const }];
  const row = columns.map(({ title }) => title.toLowerCase());
  for (let width = 20; width < 240; width += 1) {
    const [titles = ""] = renderList(columns, [row], { style, width }).split("\n");
    const shown = titles.split(/ {2,}/);
    const gone = LEFT_OUT_FIRST.filter((title) => !shown.includes(title));
    expect([width, gone]).toEqual([width, LEFT_OUT_FIRST.slice(0, gone.length)]);
    expect([shown[0], shown.at(-1)]).toEqual(["TURN", "PROMPT"]);
  }
});

test("a long path is cut in its middle, and its name stays", () => {
  const list = renderList([{ title: "FILE", cut: "middle" }], [["packages/kettle/source/parts/valve.ts"]], {
    style,
    width: 24,
  });
  expect(list).toBe("FILE\npackages/ke…rts/valve.ts\n");
});

test("words are cut before paths, and different paths stay different", () => {
  const columns = [
    { title: "FILE", cut: "middle" },
    { title: "PROMPT", cut: "end" },
  ] as const;
  const paths = ["src/api/routes/valve.ts", "src/shared/types/valve.ts", "kettle/src/types/valve.ts"];
  const rows = paths.map((path) => [path, "Why does the valve of the kettle leak again"]);
  const shown = (width: number) =>
    renderList(columns, rows, { style, width })
      .split("\n")
      .slice(1, -1)
      .map((line) => line.split("  ")[0]);
  expect(shown(40)).toEqual(paths);
  expect(shown(28)).toEqual(["src/ap…alve.ts", "src/sh…alve.ts", "kettle…alve.ts"]);
});

test("the page of commands has the order", () => {
  const page = readFileSync(join(import.meta.dir, "../../../.github/docs/commands.md"), "utf8");
  expect(page.replace(/\s+/g, " ")).toContain(`in this order: ${LEFT_OUT_FIRST.join(", ")}.`);
});

test("in a pipe a title is cut, and a name such as a branch's stays whole", () => {
  const columns = [
    { title: "PROMPT", cut: "end" as const, maxWidth: 12 },
    { title: "BRANCH", maxWidth: 8 },
  ];
  const rows = [["Why does it leak again", "fix/leaking-valve"]];
  expect(renderList(columns, rows, { style, width: null })).toBe(
    "PROMPT        BRANCH\nWhy does it…  fix/leaking-valve\n",
  );
});

import { expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { type Result, withResults } from "./page.ts";

const outcome = (name: string, problem = "") => ({ name, problem, seconds: 1 });
const musl: Result = {
  name: "linux-x64-musl",
  target: "linux-x64-musl",
  how: "run",
  outcomes: [outcome("enable"), outcome("doctor", "ended with 1")],
};
const own: Result = { name: "linux-x64", target: "linux-x64", how: "run", outcomes: [outcome("enable")] };

const EMPTY = "# A\n<!-- made by bun run try:platforms --page -->\n<!-- /made -->\nB\n";

test("the table has a row for each system, and keeps those that were not tried again", () => {
  const first = withResults(EMPTY, [musl], new Date("2026-03-01"));
  expect(withResults(first, [own], new Date("2026-03-02")).split("\n")).toEqual([
    "# A",
    "<!-- made by bun run try:platforms --page -->",
    "| system | binary | how | tried | checks that hold |",
    "| --- | --- | --- | --- | --- |",
    `| linux-x64 | \`linux-x64\` | run | ${manifest.version}, 2026-03-02 | 1 of 1 |`,
    `| linux-x64-musl | \`linux-x64-musl\` | run | ${manifest.version}, 2026-03-01 | 1 of 2; not: doctor |`,
    "<!-- /made -->",
    "B",
    "",
  ]);
});

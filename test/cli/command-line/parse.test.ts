import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseLine } from "../../../src/cli/command-line/parse.ts";
import { command as files } from "../../../src/cli/commands/files.ts";
import { command as report } from "../../../src/cli/commands/report.ts";
import { command as search } from "../../../src/cli/commands/search.ts";
import { command as show } from "../../../src/cli/commands/show.ts";
import { fcOptions } from "../../support/fast-check.ts";

const none = { isMatch: true, options: {}, flags: {}, mistakes: [] };

test("a list takes -k as -n, and a report -o as an export does", () => {
  expect(parseLine(["files", "-k", "3"], files).options).toEqual({ limit: "3" });
  expect(parseLine(["report", "-o", "r.html"], report).options).toEqual({ html: "r.html" });
});

test.each<[string[], object]>([
  [["search", "0012", "", "1e3"], { ...none, words: ["0012", "", "1e3"] }],
  [["-k3", "search", "why"], { ...none, words: ["why"], options: { limit: "3" }, flags: { limit: "-k" } }],
  [["-n3", "search", "why"], { ...none, words: ["why"], options: { limit: "3" }, flags: { limit: "-n" } }],
  [
    ["search", "-k", "3", "-n", "4"],
    {
      ...none,
      words: [],
      options: { limit: "3" },
      flags: { limit: "-k" },
      mistakes: [{ kind: "twice", flag: "--limit" }],
    },
  ],
  [
    ["search", "- what is left?", "--", "-x", "--json"],
    { ...none, words: ["- what is left?", "-x", "--json"] },
  ],
  [
    ["search", "why", "--limit=0012", "--json"],
    { ...none, words: ["why"], options: { limit: "0012", json: true }, flags: { limit: "--limit" } },
  ],
  [
    ["--json", "--json.x=1"],
    {
      ...none,
      isMatch: false,
      words: [],
      options: { json: true },
      mistakes: [{ kind: "unknown", flag: "--json.x" }],
    },
  ],
  [["show", "search"], { ...none, isMatch: false, words: ["show", "search"] }],
])("%j", (argv, parsed) => {
  expect(parseLine(argv, search)).toEqual(parsed as ReturnType<typeof parseLine>);
});

test("words come as they were typed, whatever they are", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(parseLine(["show", "--", ...words], show)).toEqual({ ...none, words });
    }),
    fcOptions(),
  );
});

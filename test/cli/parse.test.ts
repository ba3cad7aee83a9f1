import { expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "../../src/cli/parse.ts";
import { command as search } from "../../src/commands/search.ts";
import { command as show } from "../../src/commands/show.ts";
import { fcOptions } from "../support/fast-check.ts";

const none = { isMatch: true, options: {}, flags: {}, mistakes: [] };

test.each<[string[], object]>([
  [["search", "0012", "", "1e3"], { ...none, words: ["0012", "", "1e3"] }],
  [["-k3", "search", "why"], { ...none, words: ["why"], options: { limit: "3" }, flags: { limit: "-k" } }],
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
  expect(parse(argv, search)).toEqual(parsed as ReturnType<typeof parse>);
});

test("words come as they were typed, whatever they are", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(parse(["show", "--", ...words], show)).toEqual({ ...none, words });
    }),
    fcOptions(),
  );
});

import { expect, test } from "bun:test";
import { closestWord } from "../../src/text/mistakes.ts";

const COMMANDS = ["search", "show", "sessions", "stats", "status", "ingest", "enable", "disable"];

test.each([
  ["serach", "search"],
  ["shwo", "show"],
  ["SHOW", "show"],
  ["sesions", "sessions"],
  ["enabel", "enable"],
  ["inge", "ingest"],
  ["stat", "stats"],
  ["sea", "search"],
  ["sxarxh", "search"],
  ["stxxs", null],
  ["in", null],
  ["frobnicate", null],
  ["x", null],
  ["", null],
])("%p most likely means %p", (typed, meant) => {
  expect(closestWord(typed, COMMANDS)).toBe(meant);
});

test("two letters that changed places are one mistake, and no mistake is better", () => {
  expect(closestWord("form", ["from", "form"])).toBe("form");
  expect(closestWord("ab", ["bc"])).toBeNull();
  expect(closestWord("ab", ["ba"])).toBe("ba");
});

test("at equal distance the longer word is meant, then the first", () => {
  expect(closestWord("shw", ["sh", "show", "shaw"])).toBe("show");
});

import { expect, test } from "bun:test";
import { closest } from "../../src/text/closest.ts";

const COMMANDS = ["search", "show", "sessions", "stats", "status", "ingest", "enable", "disable"];

test.each([
  ["serach", "search"],
  ["shwo", "show"],
  ["SHOW", "show"],
  ["sesions", "sessions"],
  ["enabel", "enable"],
  ["inge", "ingest"],
  ["stat", "stats"],
  ["frobnicate", null],
  ["x", null],
  ["", null],
])("%p most likely means %p", (typed, meant) => {
  expect(closest(typed, COMMANDS)).toBe(meant);
});

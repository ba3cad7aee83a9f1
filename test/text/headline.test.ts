import { expect, test } from "bun:test";
import fc from "fast-check";
import { headline } from "../../src/text/headline.ts";
import { fcOptions } from "../support/fast-check.ts";

test.each([
  [
    "Implement the following plan:\n\n# Plan: Retry uploads in the worker\n\n## Context\n…",
    "Retry uploads in the worker",
  ],
  ["Implement the following plan:\n\n# Retry uploads", "Retry uploads"],
  ["# Implementation Plan — Cache of thumbnails\nMore", "Cache of thumbnails"],
  [
    "## Context\n\nThe importer stops\nat the first bad row.\n## Plan\nx",
    "The importer stops at the first bad row.",
  ],
  ["# Overview:\n\n## Goals\n\nOne login for all shops", "One login for all shops"],
  ["Hi Claude, why does the build fail?", "why does the build fail?"],
  ["ok, thanks! now add a test", "now add a test"],
  ["hello\nwhere are the fixtures?", "where are the fixtures?"],
  ["Thanks!", "Thanks!"],
  ["[Image #1] the button is cut off", "the button is cut off"],
  ["[Pasted text #2 +40 lines]\nwhat does this error mean?", "what does this error mean?"],
  ["/home/ada/shop/src/cart.ts\nthis one is slow", "this one is slow"],
  ["@src/cart.ts\nthis one is slow", "this one is slow"],
  ["https://example.org/issue/7\n\ncan you fix it", "can you fix it"],
  [
    "https://github.com/acme/lamp-shop/issues/7718#issuecomment-508 this reports that the lamp is cold",
    "lamp-shop#7718 this reports that the lamp is cold",
  ],
  ["review https://gitlab.com/acme/tools/lamp/-/merge_requests/12, please", "review lamp#12, please"],
  ["https://github.com/acme/lamp/pull/3", "lamp#3"],
  ["why is https://example.org/lamp/12 slow", "why is https://example.org/lamp/12 slow"],
  ["$ npm test\n> 3 failing\nmend the tests", "3 failing mend the tests"],
  ["❯ shop deploy\nWhy does it ask twice?", "Why does it ask twice?"],
  ["```\nconst a = 1;\n```\nrename a to total", "rename a to total"],
  ["```\nnever closed", "``` never closed"],
  ["commit", "commit"],
  ["/review all", "/review all"],
  ["Plan the migration of the orders table", "Plan the migration of the orders table"],
  ["okra is a plant", "okra is a plant"],
  ["# Plan", "# Plan"],
  ["日本語の\n質問", "日本語の 質問"],
  ["", ""],
])("headline(%p) is %p", (prompt, expected) => {
  expect(headline(prompt)).toBe(expected);
});

test("whatever the prompt, a headline is one line, and empty only for an empty prompt", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (prompt) => {
      const words = headline(prompt);
      expect(words).not.toMatch(/[\n\r]/);
      expect(words === "").toBe(prompt.trim() === "");
    }),
    fcOptions(),
  );
});

test.each(["@:", "a@b:$", "/a", "# ", "🙂"])("looks only at the start of a line that repeats %p", (unit) => {
  expect(headline(unit.repeat(100_000)).length).toBeLessThanOrEqual(4_000);
});

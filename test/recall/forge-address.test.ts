import { expect, test } from "bun:test";
import { withoutRepository } from "../../src/recall/ranking.ts";

const CASES: [prompt: string, matter: string][] = [
  ["review https://github.com/me/app/pull/12 please", "review /pull/12 please"],
  ["see https://github.com/me/app/issues/7#issuecomment-1", "see /issues/7#issuecomment-1"],
  ["https://gitlab.example.com/team/tools/app/-/merge_requests/3", "/merge_requests/3"],
  ["https://github.com/me/app/blob/main/src/pay.ts#L3", "/blob/main/src/pay.ts#L3"],
  ["what does https://github.com/me/app do?", "what does https://github.com/me/app do?"],
  [
    "https://docs.example.com/en/latest/wiki.html says no",
    "https://docs.example.com/en/latest/wiki.html says no",
  ],
  ["no address here", "no address here"],
];

test.each(CASES)("%p asks about %p", (prompt, matter) => {
  expect(withoutRepository(prompt)).toBe(matter);
});

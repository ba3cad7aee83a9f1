import { expect, test } from "bun:test";
import { pullRequestTitles } from "../../../../src/ingest/transcript/turn-entry.ts";

test.each<[command: string, titles: string[]]>([
  ['gh pr create --title "Round once" --body x', ["Round once"]],
  ["git push && gh pr create -t 'A b' --draft", ["A b"]],
  ["gh pr create --title=Short", ["Short"]],
  ["gh pr create --fill", []],
  ["gh pr create --title", []],
  ["echo gh pr view --title x", []],
  ["gh issue create --title x", []],
  ["gh pr list -t x; hub pr create -t y", []],
  ["gh release create -t x; echo pr create", []],
  ["sudo gh pr create -t x", ["x"]],
])("pullRequestTitles(%j)", (command, titles) => {
  expect(pullRequestTitles(command)).toEqual(titles);
});

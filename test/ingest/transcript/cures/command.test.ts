import { expect, test } from "bun:test";
import {
  commandKinds,
  evenCommand,
  hidesExit,
  isSameTask,
  onlyLooks,
} from "../../../../src/ingest/transcript/cures/command.ts";

test.each([
  ["git push origin main", ["git push"]],
  ["cd app && bun run lint 2>&1 | tail -5", ["bun run lint"]],
  ["MIX_ENV=test sudo mix ecto.migrate", ["mix ecto.migrate"]],
  ["/usr/bin/python3 seed.py", ["python"]],
  ["ls src", ["ls"]],
  ["git status && npm ci", ["npm ci"]],
])("%p is of the kinds %p", (command, kinds) => {
  expect(commandKinds(command)).toEqual(kinds);
});

test.each([
  ["cd app && git diff | head", true],
  ["git diff; git push", false],
])("%p only looks: %p", (command, expected) => {
  expect(onlyLooks(command)).toBe(expected);
});

test.each([
  ["git push", "git push --set-upstream origin fix", true],
  ["mix test test/a_test.exs", "mix test", true],
  ["bun run lint", "bun run build", false],
  ["git push", "npm ci", false],
])("%p and %p are for the same: %p", (a, b, expected) => {
  expect(isSameTask(a, b)).toBe(expected);
});

test.each([
  ["bun run lint || true", "bun run lint", true],
  ["bun run lint | tail -3", "bun run lint", true],
  ["bun run lint | tail -3", "bun run lint | tail -9", false],
  ["bun run lint", "bun run lint", false],
])("%p hides whether it failed, and %p does not: %p", (command, other, expected) => {
  expect(hidesExit(command, other)).toBe(expected);
});

test("a command is kept on one line, without where its output goes", () => {
  expect(evenCommand("bun run lint \\\n  --fix   2>&1")).toBe("bun run lint \\ --fix");
});

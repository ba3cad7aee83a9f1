import { expect, test } from "bun:test";
import type { HookScope } from "../../src/project/hook-entries.ts";
import { chooseScope } from "../../src/project/scope.ts";

const state = (scope: HookScope, events: string[]) => ({
  scope,
  file: scope,
  exists: true,
  events,
  missing: [],
  outdated: [],
  allDisabled: false,
  cleanupDays: null,
  problem: null,
});

test.each<[string, [HookScope, string[]][], boolean, HookScope]>([
  ["nothing installed, found by a shell", [], true, "project"],
  ["nothing installed, not found", [["project", []]], false, "local"],
  ["installed for all projects", [["user", ["Stop"]]], true, "user"],
  ["shared by somebody else, not found", [["project", ["Stop"]]], false, "project"],
  [
    "shared and own",
    [
      ["user", ["Stop"]],
      ["project", ["Stop"]],
      ["local", ["Stop"]],
    ],
    true,
    "local",
  ],
])("%s", (_name, installed, isOnPath, scope) => {
  expect(
    chooseScope(
      installed.map(([where, events]) => state(where, events)),
      isOnPath,
    ),
  ).toBe(scope);
});

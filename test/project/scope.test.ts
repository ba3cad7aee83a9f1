import { expect, test } from "bun:test";
import type { HookShell } from "../../src/project/hook-command.ts";
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

test.each<[string, [HookScope, string[]][], boolean, HookScope, HookShell]>([
  ["nothing installed, found by a shell", [], true, "project", "sh"],
  ["nothing installed, found, but what is shared does not run", [], true, "local", "powershell"],
  ["nothing installed, not found", [["project", []]], false, "local", "sh"],
  ["installed for all projects", [["user", ["Stop"]]], true, "user", "sh"],
  ["shared by somebody else, not found", [["project", ["Stop"]]], false, "project", "sh"],
  [
    "shared and own",
    [
      ["user", ["Stop"]],
      ["project", ["Stop"]],
      ["local", ["Stop"]],
    ],
    true,
    "local",
    "sh",
  ],
])("%s", (_name, installed, isOnPath, scope, shell) => {
  expect(
    chooseScope(
      installed.map(([where, events]) => state(where, events)),
      isOnPath,
      shell,
    ),
  ).toBe(scope);
});

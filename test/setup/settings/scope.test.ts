import { expect, test } from "bun:test";
import type { HookScope } from "../../../src/setup/settings/hook-entries.ts";
import { chooseScope } from "../../../src/setup/settings/hooks-state.ts";

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

test.each<[string, [HookScope, string[]][], HookScope]>([
  ["nothing installed", [], "local"],
  ["settings without hooks", [["project", []]], "local"],
  ["installed for all projects", [["user", ["Stop"]]], "user"],
  ["shared by somebody else", [["project", ["Stop"]]], "project"],
  [
    "shared and own",
    [
      ["user", ["Stop"]],
      ["project", ["Stop"]],
      ["local", ["Stop"]],
    ],
    "local",
  ],
])("%s", (_name, installed, scope) => {
  expect(chooseScope(installed.map(([where, events]) => state(where, events)))).toBe(scope);
});

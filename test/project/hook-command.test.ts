import { expect, test } from "bun:test";
import { hookCommand } from "../../src/project/hook-command.ts";

// Codex trusts a hook by a hash of its command, and settings that a team shares are in its history: a change of one
// letter makes every user of Codex confirm every hook again, and every shared file change. So this text stays.
test("the command of a hook is, letter for letter, what it always was", () => {
  expect(hookCommand("stop")).toBe(
    'test -x "$HOME/.local/share/mementor/bin/mementor" && "$HOME/.local/share/mementor/bin/mementor" hook stop 2>/dev/null || true',
  );
  expect(hookCommand("pre-tool-use", ["--from-plugin"])).toBe(
    'test -x "$HOME/.local/share/mementor/bin/mementor" && "$HOME/.local/share/mementor/bin/mementor" hook pre-tool-use --from-plugin 2>/dev/null || true',
  );
});

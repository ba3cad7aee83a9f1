import { expect, test } from "bun:test";
import { claudeShell } from "../../../src/cli/settings-context.ts";
import { hookCommand } from "../../../src/setup/settings/hook-entries.ts";

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

test("PowerShell gets a line of its own, which names the program by the user's profile", () => {
  expect(hookCommand("stop", ["--from", "codex"], "powershell")).toBe(
    'try { & "$env:USERPROFILE\\.local\\share\\mementor\\bin\\mementor.exe" hook stop --from codex } catch { }; exit 0',
  );
});

const GIT_BASH = "C:\\Program Files\\Git\\bin\\bash.exe";

test.each([
  ["linux", {}, [], "sh"],
  ["darwin", {}, [], "sh"],
  ["win32", {}, [], "powershell"],
  ["win32", {}, [GIT_BASH], "sh"],
  ["win32", { CLAUDE_CODE_GIT_BASH_PATH: "D:\\bash.exe" }, [], "sh"],
  [
    "win32",
    { Path: "C:\\Windows;D:\\My Git\\cmd" },
    ["D:\\My Git\\cmd\\git.exe", "D:\\My Git\\bin\\bash.exe"],
    "sh",
  ],
  // The bash of Windows itself starts Linux.
  ["win32", { PATH: "C:\\Windows\\System32" }, ["C:\\Windows\\System32\\bash.exe"], "powershell"],
] as const)("on %s with %p and %p Claude Code starts hooks with %s", (platform, env, files, shell) => {
  expect(claudeShell({ env, platform }, (path) => (files as readonly string[]).includes(path))).toBe(shell);
});

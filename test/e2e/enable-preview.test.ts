import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";

const CLAUDE_EVENTS =
  "UserPromptSubmit, PreToolUse, SubagentStart, SessionStart, Stop, SubagentStop, PreCompact, SessionEnd";

test("enable --dry-run lists each file that it would write, and what goes in", async () => {
  await using sandbox = await Sandbox.create();
  const { home, project } = sandbox;
  const codex = join(home, ".codex", "config.toml");
  mkdirSync(join(home, ".codex"));
  writeFileSync(codex, 'model = "o3"\n');
  const options = ["--no-history", "--mcp", "--opencode-plugin", "--for", "codex,copilot,opencode"];
  const preview = await sandbox.run(["enable", "--dry-run", ...options]);
  expect(preview.stdout.replaceAll(home, "~").replaceAll(project, ".").split("\n")).toEqual([
    "Writes    Claude Code: ./.claude/settings.local.json (new; only for you, in this project)",
    `            hooks: ${CLAUDE_EVENTS}`,
    "          Claude Code: ./.claude/settings.local.json (new)",
    '            Claude Code may run "mementor recall" without asking you',
    "          Codex: ~/.codex/hooks.json (new)",
    "            hooks: UserPromptSubmit, SubagentStart, SessionStart, Stop, SubagentStop, PreCompact, SessionEnd",
    "          Codex: ~/.codex/rules/mementor.rules (new)",
    '            Codex may run "mementor recall" without asking you',
    "          Copilot CLI: ~/.copilot/hooks/mementor.json (new)",
    "            hooks: userPromptSubmitted, sessionStart, agentStop, sessionEnd",
    "          opencode: ~/.config/opencode/plugin/mementor.js (new)",
    "            the plugin",
    "          Codex: ~/.codex/config.toml (changed)",
    '            the MCP server "mementor"',
    "          Copilot CLI: ~/.copilot/mcp-config.json (new)",
    '            the MCP server "mementor"',
    "          opencode: ~/.config/opencode/opencode.json (new)",
    '            the MCP server "mementor"',
    "          mementor: ./.mementor/pointer.json (new)",
    "            where the memory is",
    "          mementor: ~/.config/mementor/projects.json (new)",
    "            this project; beside it, in backups/, a copy of each settings file as it was",
    "Nothing was changed.",
    "",
  ]);
  expect(existsSync(join(project, ".claude"))).toBe(false);
  expect(readFileSync(codex, "utf8")).toBe('model = "o3"\n');

  const { writes } = JSON.parse((await sandbox.run(["enable", "--dry-run", "--json", ...options])).stdout);
  await sandbox.run(["enable", ...options]);
  for (const { file } of writes) expect({ file, exists: existsSync(file) }).toEqual({ file, exists: true });
  const after = JSON.parse((await sandbox.run(["enable", "--dry-run", "--json", ...options])).stdout);
  expect(after.writes.map(({ change }: { change: string }) => change)).toEqual(writes.map(() => "unchanged"));
});

test("enable --dry-run says what it would read", async () => {
  await using sandbox = await Sandbox.create();
  writeSession(sandbox, sandbox.project, [["Which queue?", "Postgres."]]);
  const preview = async (...options: string[]) =>
    (await sandbox.run(["enable", "--dry-run", ...options])).stdout.split("\n").slice(-3);
  expect(await preview()).toEqual([
    expect.stringMatching(/^Reads {5}1 earlier conversation \(\d+ bytes\), in the background$/),
    "Nothing was changed.",
    "",
  ]);
  expect((await preview("--no-history"))[0]).toContain("a copy of each settings file as it was");
  await sandbox.run(["enable", "--history"]);
  expect((await preview())[0]).toContain("a copy of each settings file as it was");
});

test("enable --dry-run says what keeps a file from being written", async () => {
  await using sandbox = await Sandbox.create();
  mkdirSync(join(sandbox.home, ".gemini"));
  writeFileSync(join(sandbox.home, ".gemini", "settings.json"), "{ broken");
  const { stdout, exitCode } = await sandbox.run(["enable", "--dry-run", "--no-history", "--for", "gemini"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("Gemini CLI: ");
  expect(stdout).toContain("(cannot be written: ");
});

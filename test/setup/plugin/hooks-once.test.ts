import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HookCall, type HookEvent, silent } from "../../../src/hooks/hook.ts";
import { type HookHandlers, runHook } from "../../../src/hooks/run.ts";
import type { Host } from "../../../src/host.ts";
import { hookEntries } from "../../../src/setup/settings/hook-entries.ts";

const SELF = ["/opt/mementor"];
let root: string;
let project: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "mementor-once-")));
  project = join(root, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs a hook with a handler that only notes that it was called. */
async function runs(event: HookEvent, flags: readonly string[], path = "/usr/bin:/bin"): Promise<boolean> {
  let called = false;
  const note = async () => async (_call: HookCall) => {
    called = true;
    return silent("noted");
  };
  const events = [
    "user-prompt-submit",
    "pre-tool-use",
    "user-prompt-expansion",
    "subagent-start",
    "session-start",
    "stop",
    "subagent-stop",
    "pre-compact",
    "session-end",
  ] as const;
  const handlers = Object.fromEntries(events.map((name) => [name, note])) as unknown as HookHandlers;
  const output = { isTerminal: false, columns: null, write: () => {} };
  const host: Host = {
    argv: ["hook", event, ...flags],
    env: { PATH: path },
    cwd: project,
    homeDir: root,
    tempDir: root,
    uid: null,
    platform: "linux",
    self: SELF,
    now: () => new Date("2026-03-04T12:00:00Z"),
    elapsedMs: () => 0,
    stdin: {
      isTerminal: false,
      isNamedFile: false,
      read: async () => new TextEncoder().encode(JSON.stringify({ session_id: "s", cwd: project })),
      readLine: async () => null,
      async *chunks() {},
    },
    stdout: output,
    stderr: output,
    interrupted: () => new AbortController().signal,
  };
  await runHook(host, handlers);
  return called;
}

function settings(file: string, commands: Readonly<Record<string, string>>): void {
  const hooks = Object.fromEntries(
    Object.entries(commands).map(([event, command]) => [event, [{ hooks: [{ type: "command", command }] }]]),
  );
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks }));
}

const COMMANDS = Object.fromEntries(hookEntries().map(({ event, command }) => [event, command]));

/** Puts the program where hooks look for it. */
function installHere(): void {
  mkdirSync(join(root, ".local/share/mementor/bin"), { recursive: true });
  writeFileSync(join(root, ".local/share/mementor/bin/mementor"), "");
}

/** Writes settings with hooks in the exec form. */
function execSettings(file: string): void {
  const program = join(root, ".local/share/mementor/bin/mementor");
  const entries = hookEntries({ takesLater: true, program });
  const hooks = Object.fromEntries(
    entries.map(({ event, command, args }) => [event, [{ hooks: [{ type: "command", command, args }] }]]),
  );
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks }));
}

describe("hooks that are started without a shell", () => {
  test("run beside others of their kind, which Claude Code calls once", async () => {
    execSettings(join(project, ".claude", "settings.local.json"));
    execSettings(join(root, ".claude", "settings.json"));
    installHere();
    expect(await runs("stop", ["--no-shell"])).toBe(true);
  });

  test("leave the work to lines for a shell that came with the project, for the events that these have", async () => {
    execSettings(join(root, ".claude", "settings.json"));
    settings(join(project, ".claude", "settings.json"), COMMANDS);
    installHere();
    expect(await runs("stop", ["--no-shell"])).toBe(false);
    expect(await runs("stop", [])).toBe(true);
    expect(await runs("user-prompt-expansion", ["--no-shell"])).toBe(true);
  });

  test("do the work in the place of a plugin", async () => {
    execSettings(join(project, ".claude", "settings.local.json"));
    installHere();
    expect(await runs("stop", ["--from-plugin"])).toBe(false);
    expect(await runs("stop", ["--from-plugin", "--no-shell"])).toBe(false);
    expect(await runs("stop", ["--no-shell"])).toBe(true);
  });
});

describe("hooks that a plugin calls", () => {
  test("run where no settings call them", async () => {
    expect(await runs("stop", ["--from-plugin"])).toBe(true);
  });

  const places: [string, () => string][] = [
    ["the user's settings", () => join(root, ".claude", "settings.json")],
    ["the project's own settings", () => join(project, ".claude", "settings.local.json")],
    ["the shared settings", () => join(project, ".claude", "settings.json")],
  ];
  for (const [name, file] of places)
    test(`leave the work to hooks in ${name}, which run`, async () => {
      settings(file(), COMMANDS);
      installHere();
      for (const event of ["user-prompt-submit", "stop", "session-end"] as const) {
        expect(await runs(event, ["--from-plugin"])).toBe(false);
        expect(await runs(event, [])).toBe(true);
      }
    });

  test("run for an event that the settings do not hook", async () => {
    settings(join(project, ".claude", "settings.json"), { Stop: "/opt/mementor hook stop" });
    expect(await runs("stop", ["--from-plugin"])).toBe(false);
    expect(await runs("pre-compact", ["--from-plugin"])).toBe(true);
  });

  test("run where other programs' hooks are, and where settings cannot be read", async () => {
    settings(join(project, ".claude", "settings.json"), { Stop: "other hook stop" });
    expect(await runs("stop", ["--from-plugin"])).toBe(true);
    writeFileSync(join(project, ".claude", "settings.json"), '{"hooks": mementor hook stop');
    expect(await runs("stop", ["--from-plugin"])).toBe(true);
  });

  test("run where the settings' command finds no program", async () => {
    settings(join(project, ".claude", "settings.json"), COMMANDS);
    expect(await runs("stop", ["--from-plugin"])).toBe(true);
    installHere();
    expect(await runs("stop", ["--from-plugin"])).toBe(false);
  });

  test("run where the shared command of an earlier version finds no mementor on the PATH", async () => {
    const Stop = "command -v mementor >/dev/null 2>&1 && mementor hook stop || true";
    settings(join(project, ".claude", "settings.json"), { Stop });
    expect(await runs("stop", ["--from-plugin"])).toBe(true);
    mkdirSync(join(root, "bin"));
    writeFileSync(join(root, "bin", "mementor"), "");
    chmodSync(join(root, "bin", "mementor"), 0o755);
    expect(await runs("stop", ["--from-plugin"], join(root, "bin"))).toBe(false);
  });
});

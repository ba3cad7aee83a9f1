import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ancestors, processStart } from "../../src/io/ancestors.ts";
import {
  findAgentProcess,
  findRunningSession,
  noteRunningSession,
} from "../../src/project/running-session.ts";

const directory = mkdtempSync(join(tmpdir(), "mementor-running-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const running = (sessionId: string) => ({ client: "codex", sessionId, transcript: null });
const process1 = (pid: number, started: string | null = null) => ({ pid, started, name: "agent" });

test("the nearest process with a note counts, with the session that it runs now", () => {
  noteRunningSession(directory, running("outer"), { pid: 1, started: "7" });
  noteRunningSession(directory, running("first"), { pid: process.pid, started: "9" });
  noteRunningSession(directory, running("second"), { pid: process.pid, started: "9" });
  const above = [process1(process.pid + 1), process1(process.pid, "9"), process1(1, "7")];
  expect(findRunningSession(directory, above)).toEqual(running("second"));
  expect(findRunningSession(directory, above.slice(2))).toEqual(running("outer"));
});

test("a later process with the same number has no session", () => {
  expect(findRunningSession(directory, [process1(process.pid, "10")])).toBeNull();
  expect(findRunningSession(join(directory, "none"), [process1(process.pid, "9")])).toBeNull();
});

test("notes of processes that ended go when another is noted", async () => {
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  noteRunningSession(directory, running("gone"), { pid: ended.pid, started: "1" });
  noteRunningSession(directory, running("new"), { pid: process.ppid, started: "2" });
  const names = readdirSync(join(directory, "running"));
  expect(names).not.toContain(`${ended.pid}.json`);
  expect(names).toContain(`${process.ppid}.json`);
});

test("the agent is the process that Claude Code names, or the nearest that is no shell", () => {
  const above = () => [
    { pid: 30, started: "3", name: "sh" },
    { pid: 20, started: "2", name: "codex" },
  ];
  const host = { env: { CLAUDE_PID: "41" }, platform: "darwin" as const };
  expect(findAgentProcess("claude-code", host, above)).toEqual({ pid: 41, started: null });
  expect(findAgentProcess("codex", host, above)).toMatchObject({ pid: 20, started: "2" });
  expect(findAgentProcess("claude-code", { ...host, env: {} }, above)).toMatchObject({ pid: 20 });
  const orphan = () => [
    { pid: 30, started: "3", name: "sh" },
    { pid: 9, started: "2", name: "systemd" },
  ];
  expect(findAgentProcess("codex", host, orphan)).toBeNull();
});

test("the processes above are seen, the nearest first", () => {
  const [parent, ...others] = ancestors(process, process.platform, { canAsk: true });
  expect(parent?.pid).toBe(process.ppid);
  expect(parent?.started ?? null).toBe(processStart(process.ppid, process.platform));
  expect(new Set(others.map(({ pid }) => pid)).has(process.ppid)).toBe(false);
});

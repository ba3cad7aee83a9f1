import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  await enabled(sandbox);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** What waits for its standard input. */
const WAITING: [string, string[]][] = [
  ["mcp", ["mcp"]],
  ["note -", ["note", "-"]],
  ["import -", ["import", "-"]],
  ["team join -", ["team", "join", "-"]],
  ["sync with a code from a pipe", ["sync", "../home", "--key-file", "-"]],
];

describe.skipIf(process.platform !== "linux").each(WAITING)("%s", (_, args) => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends at the first %s, with code %i, and leaves nothing behind", async (signal, code) => {
    const tempDir = join(sandbox.root, `tmp-${crypto.randomUUID()}`);
    mkdirSync(tempDir);
    const child = Bun.spawn([BINARY, ...args], {
      ...{ cwd: sandbox.project, env: sandbox.env({ TMPDIR: tempDir }) },
      ...{ stdin: "pipe", stdout: "pipe", stderr: "pipe" },
    });
    await until("it waits", () => catchesBoth(child.pid));
    child.kill(signal);
    expect(await child.exited).toBe(code);
    expect(await child.stderr.text()).toBe("");
    expect(readdirSync(tempDir)).toEqual([]);
  });
});

/** The bits of SIGINT and SIGTERM among the signals that a process catches. */
const BOTH = 0x4002n;

/** Whether a process would take both signals itself. */
function catchesBoth(pid: number): boolean {
  const caught = /^SigCgt:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${caught}`) & BOTH) === BOTH;
}

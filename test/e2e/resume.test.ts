import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { Client } from "./client.ts";

let sandbox: Sandbox;
let claude: Client;
beforeAll(async () => {
  sandbox = await Sandbox.create();
  claude = new Client(sandbox);
  claude.asked("How should we limit the requests of a client to the public API?");
  claude.say("A token bucket for each API key.");
  await sandbox.run(["ingest", "--text-only", claude.transcript]);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

test("prints the command, by turn or session", async () => {
  const line = `cd ${sandbox.project} && claude --resume ${claude.sessionId}\n`;
  expect((await sandbox.run(["show", "--resume", "1"])).stdout).toBe(line);
  expect((await sandbox.run(["show", "--resume", claude.sessionId.slice(0, 8)])).stdout).toBe(line);
  expect(JSON.parse((await sandbox.run(["show", "--resume", "1", "--json"])).stdout)).toEqual({
    session_id: claude.sessionId,
    client: "claude-code",
    command: ["claude", "--resume", claude.sessionId],
    directory: sandbox.project,
    directory_is_gone: false,
    author: null,
  });
  expect((await sandbox.run(["show", "1"])).stdout).toEndWith(
    "\nTo continue its session: mementor show 1 --resume\n",
  );
});

test("runs the agent in the session's directory", async () => {
  const bin = join(sandbox.root, "bin");
  mkdirSync(bin);
  const missing = await sandbox.run(["show", "--resume", "1", "--exec"]);
  expect({ exitCode: missing.exitCode, stderr: missing.stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(
      /"claude" is not in PATH\.\n {2}Install the agent, or run this where it is installed: .*claude --resume /,
    ),
  });
  writeFileSync(join(bin, "claude"), '#!/bin/sh\necho "$PWD $*"\nexit 3\n');
  chmodSync(join(bin, "claude"), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const { stdout, exitCode } = await sandbox.run(["show", "--resume", "1", "--exec"], { env });
  expect({ stdout, exitCode }).toEqual({
    stdout: `${sandbox.project} --resume ${claude.sessionId}\n`,
    exitCode: 3,
  });
});

test("says when the transcript is gone", async () => {
  rmSync(claude.transcript);
  const { exitCode, stdout, stderr } = await sandbox.run(["show", "--resume", "1"]);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining(`The transcript of session ${claude.sessionId} is gone.`),
  });
});

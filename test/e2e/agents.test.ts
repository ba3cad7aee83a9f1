import { expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures", "agents");

/** Puts an agent's fixture into the sandbox, with the sandbox's project for the one that its records name. */
function install(sandbox: Sandbox, agent: string, project: string): void {
  cpSync(join(FIXTURES, agent, "home"), sandbox.home, { recursive: true });
  for (const name of readdirSync(sandbox.home, { recursive: true, encoding: "utf8" })) {
    const file = join(sandbox.home, name);
    if (!statSync(file).isFile()) continue;
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(`${project}"`, `${sandbox.project}"`));
  }
}

async function json(sandbox: Sandbox, ...args: string[]) {
  const { stdout, stderr, exitCode } = await sandbox.run([...args, "--json"]);
  expect({ stderr: stderr.replace(/^Reading .*\n/gm, ""), exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
}

test("enable reads the history of every agent, and lists tell whose it is", async () => {
  await using sandbox = await Sandbox.create();
  install(sandbox, "codex", "/home/dev/kettle");
  const enabled = await json(sandbox, "enable", "--history");
  expect(enabled.history).toMatchObject({ sessions: 6, agents: { codex: 6 } });
  expect((await json(sandbox, "ingest", "--all", "--text-only")).files).toMatchObject({
    read: 0,
    unchanged: 8,
  });
  const { sessions, total } = await json(sandbox, "sessions", "--from", "codex");
  expect([total, new Set(sessions.map(({ client }: { client: string }) => client))]).toEqual([
    6,
    new Set(["codex"]),
  ]);
  expect((await json(sandbox, "sessions", "--from", "claude-code")).total).toBe(0);
  expect((await json(sandbox, "stats")).clients).toEqual([{ client: "codex", sessions: 6, turns: 13 }]);
  const listed = (await sandbox.run(["sessions"])).stdout;
  expect(listed).toContain("[Codex] One clock");
  const shown = (await sandbox.run(["search", "one clock for all timers", "--mode", "keyword", "-k", "1"]))
    .stdout;
  expect(shown).toContain("with Codex");
}, 120_000);

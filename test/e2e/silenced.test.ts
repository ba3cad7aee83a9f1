import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { type Talk, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";
import { makeProject } from "./project.ts";

const OURS: Talk = [["Which queue do we use for mails?", "Postgres with SKIP LOCKED."]];
const PRIVATE: Talk = [["Which queue do we use for payments?", "RabbitMQ."]];

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create();
});
afterEach(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

test.each(["projects", "paths"])("status says that a pulled exclude.%s silences the memory", async (name) => {
  await enabled(sandbox);
  mkdirSync(join(sandbox.project, ".mementor"), { recursive: true });
  const file = join(sandbox.project, ".mementor", "config.json");
  writeFileSync(file, JSON.stringify({ exclude: { [name]: ["**"] } }));
  const { stdout } = await sandbox.run(["status"]);
  expect(stdout).toMatch(/^Working +no: "exclude" in /);
  expect(stdout).toContain(file);
});

test("a hook whose input names a session of another project stores nothing of it", async () => {
  const ours = await makeProject(sandbox, "mail", OURS);
  const other = join(sandbox.root, "pay");
  mkdirSync(other);
  const transcript_path = writeSession(sandbox, other, PRIVATE);
  await sandbox.hook("stop", { session_id: "x", cwd: ours, transcript_path }, { cwd: ours });
  expect((await sandbox.run(["work"], { cwd: ours })).exitCode).toBe(0);
  const { stdout } = await sandbox.run(["recent"], { cwd: ours });
  expect(stdout).toContain("queue do we use for mails");
  expect(stdout).not.toContain("payments");
});

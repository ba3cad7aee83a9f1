import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { LIMITER } from "../support/limiter.ts";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
  const claude = new Client(sandbox);
  const [prompt, answer] = LIMITER.decided;
  await claude.prompt(prompt);
  claude.say(answer);
  await claude.stop();
  await workerDone(sandbox);
});
afterEach(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

test("what the hooks told, and why they were silent, can be looked up", async () => {
  const first = new Client(sandbox);
  const { told } = await first.prompt(LIMITER.question);
  const second = new Client(sandbox);
  await second.prompt("center a div both ways with flexbox");
  const { answers } = JSON.parse((await sandbox.run(["told", "--json", "-n", "2"])).stdout);
  expect(answers).toEqual([
    {
      ...{ id: 4, time: expect.any(String), session_id: second.sessionId, event: "user-prompt-submit" },
      ...{ prompt: "center a div both ways with flexbox", file: null, decision: "far" },
      ...{
        reason: "nothing near",
        turns: [],
        characters: 0,
      },
      ...{
        duration_ms: expect.any(Number),
        probability: null,
        threshold: null,
        text: null,
      },
    },
    {
      ...{ id: 3, time: expect.any(String), session_id: first.sessionId, event: "user-prompt-submit" },
      ...{ prompt: LIMITER.question, file: null, decision: "told", reason: null },
      turns: [
        {
          turn_id: 1,
          title: LIMITER.decided[0],
          passage: expect.stringContaining("`TokenBucket` for each API key"),
          marks: [],
        },
      ],
      ...{ characters: told?.length, duration_ms: expect.any(Number) },
      ...{ probability: expect.any(Number), threshold: expect.any(Number), text: told },
    },
  ]);
  expect((await sandbox.run(["told", "3"])).stdout).toBe(`${told}\n`);
  const { stdout } = await sandbox.run(["told", "-n", "1", "--session", first.sessionId]);
  expect(stdout).toMatch(
    /^#3 {2}just now {2}prompt {2}told 1 turn, [\d,]+ characters {2}\d+ ms\n {4}“Why does src/,
  );
  const missing = await sandbox.run(["told", "99"]);
  expect({ exitCode: missing.exitCode, stderr: missing.stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining("There is no answer 99."),
  });
  await second.prompt("center another div with flexbox");
  const { recall } = JSON.parse((await sandbox.run(["report", "--text", "--json"])).stdout);
  // The prompt of the first session came to an empty memory.
  expect([recall.given, recall.silent]).toEqual([1, 3]);
});

test("the log names each hook, and never the prompt", async () => {
  await new Client(sandbox).prompt(LIMITER.question);
  const { stdout } = await sandbox.run(["told", "--log", "-n", "1"]);
  expect(stdout).toMatch(/ info {2}hook {2}#\d+ {2}user-prompt-submit {2}told {2}\d+ ms\n$/);
  expect(readFileSync(join(sandbox.memory(), "log/mementor.jsonl"), "utf8")).not.toContain("TokenBucket");
});

test("a prompt that still waits to be stored is forgotten too", async () => {
  await new Client(sandbox).prompt(LIMITER.question);
  expect((await sandbox.run(["forget", "--match", "TokenBucket", "--yes"])).exitCode).toBe(0);
  expect((await sandbox.run(["told", "--json"])).stdout).not.toContain("TokenBucket");
});

test("an answer of which a turn was forgotten says so", async () => {
  await new Client(sandbox).prompt(LIMITER.question);
  expect((await sandbox.run(["told", "--no-pager", "-n", "1"])).stdout).toMatch(
    / told 1 turn, \d+ characters /,
  );
  await sandbox.run(["forget", "1", "--yes"]);
  const { stdout } = await sandbox.run(["told", "--no-pager", "-n", "1"]);
  expect(stdout).toContain("told turns that are gone by now");
  const shown = await sandbox.run(["told", "3"]);
  expect(shown.stdout).toBe("The text is gone: it quoted turns that were removed since, or is too old.\n");
});

test("--all-projects neither follows nor prints one answer, and says what does", async () => {
  for (const [args, stderr] of [
    [
      ["-f"],
      "--follow works in one project only, not with --all-projects.\n  Name the project: mementor -C ../api told -f",
    ],
    [
      ["3"],
      "The number of an answer counts in one project only, not with --all-projects.\n  Name the project: mementor -C ../api told 3",
    ],
  ] as const)
    expect(await sandbox.run(["told", "--all-projects", ...args])).toMatchObject({
      exitCode: 64,
      stderr: `mementor: ${stderr}\n`,
    });
});

test("the list says how many answers there are", async () => {
  for (const prompt of [LIMITER.question, "how large are the bursts?"])
    await new Client(sandbox).prompt(prompt);
  const { answers, total } = JSON.parse((await sandbox.run(["told", "--json", "-n", "1"])).stdout);
  expect([answers.length, total]).toEqual([1, 3]);
  const last = async (...args: string[]) =>
    (await sandbox.run(["told", "--no-pager", ...args])).stdout.trimEnd().split("\n").at(-1);
  expect(await last("-n", "2")).toBe("2 of 3 answers; -n 3 shows all");
  expect(await last("-n", "2", "--all-projects")).toContain("mementor told <number>");
  expect((await sandbox.run(["told", "-n", "2", "--all-projects"])).stdout).toContain("2 of 3 answers;");
  expect(await last("-n", "3")).not.toContain("shows all");
});

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";
import { ingestSample } from "./sample.ts";

const COMPACTION_AGENT = "a03c66297309f9226";
const SUBAGENT = "af884ab309c773a92";

let sandbox: Sandbox;
const path = (file: string) => join(sandbox.project, file);
const silent = { exitCode: 0, stdout: "", stderr: "", told: null };
const spoken = { exitCode: 0, stderr: "" };

beforeAll(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
  await ingestSample(sandbox);
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

test("a session from its start over a subagent and a compaction to its end", async () => {
  const environment = join(sandbox.root, "claude-env.sh");
  const claude = new Client(sandbox, { CLAUDE_ENV_FILE: environment });
  const invited = (await claude.sessionStart("startup")).told ?? "";
  expect(invited).toMatch(/a memory of \d+ sessions since 20\d\d-\d\d-\d\d\. .*`mementor recall /);
  expect(invited.length).toBeLessThanOrEqual(400);
  expect(await claude.prompt("hi")).toMatchObject(silent);
  claude.say("Hello.");
  expect(await claude.stop()).toMatchObject(silent);

  await claude.prompt(
    "Make the thumbnail renderer keep the colour profile of the original photo. Photos without a profile must never get one.",
  );
  expect(await claude.tool("Read", { file_path: path("src/thumbnail.ts") })).toMatchObject(silent);
  claude.say(
    "The profile is dropped by the resize step. I go with copying the ICC chunk instead of converting to sRGB.",
  );
  await claude.tool("Edit", {
    file_path: path("src/thumbnail.ts"),
    old_string: "resize(",
    new_string: "withIcc(resize(",
  });
  const failed = { content: "Exit code 1\nTypeError: iccChunk is undefined", isError: true };
  await claude.tool(
    "Bash",
    { command: "bun test test/thumbnail.test.ts", description: "Run the thumbnail tests" },
    failed,
  );
  claude.say(
    "`thumbnail.ts` resizes first instead of last, because the resize drops the colour profile. The test fails for photos without a profile. Should they get sRGB, or none?",
  );
  expect(await claude.stop()).toMatchObject(silent);
  await workerDone(sandbox);

  await claude.prompt("now use a subagent to look for other places");
  const forSubagent = (await claude.subagentStart(SUBAGENT)).told;
  expect(forSubagent).toContain(
    "Files that this session touched last: test/thumbnail.test.ts, src/thumbnail.ts",
  );
  expect(forSubagent).toContain("Before you decide a rule, limit, order or format, ask it");
  expect(forSubagent?.length).toBeLessThanOrEqual(700);
  claude.subagent(SUBAGENT, "Find other places that drop profiles", "Only src/preview.ts does.");
  claude.say("The subagent is on it.");
  expect(await claude.stop()).toMatchObject(silent);
  expect(await claude.subagentStop(SUBAGENT)).toMatchObject(silent);
  expect(
    await claude.prompt("<task-notification>\n<task-id>x</task-id>\n</task-notification>"),
  ).toMatchObject(silent);
  claude.say("Noted.");
  expect(await claude.stop()).toMatchObject(silent);
  expect(await claude.end()).toMatchObject(silent);
  await workerDone(sandbox);

  expect((await claude.sessionStart("resume")).told).toBe(invited);
  expect(await claude.preCompact()).toMatchObject(silent);
  expect(await claude.subagentStop(COMPACTION_AGENT)).toMatchObject(silent);
  const compact = await claude.sessionStart("compact");
  expect(compact).toMatchObject(spoken);
  expect(compact.told).toBe(invited);
  expect(readFileSync(environment, "utf8")).toBe('export PATH="$PATH:$HOME/.local/share/mementor/bin"\n');
  claude.compacted("Thumbnails keep colour profiles.");
  expect(await claude.end()).toMatchObject(silent);
  await workerDone(sandbox);
});

test("the next session remembers it, once, and what it was told is not remembered as new", async () => {
  const question =
    "why does the thumbnail renderer copy the ICC colour profile instead of converting it to sRGB?";
  const other = new Client(sandbox, { MEMENTOR_RECALL_PROMPT: "off" });
  expect(await other.prompt(question)).toMatchObject(silent);
  const first = await other.tool("Read", { file_path: path("src/thumbnail.ts") });
  expect(first?.told).toContain("because the resize drops the colour profile");
  expect(first?.told?.length).toBeLessThanOrEqual(1_000);
  expect(await other.tool("Edit", { file_path: path("src/thumbnail.ts") })).toMatchObject(silent);

  const claude = new Client(sandbox, { MEMENTOR_RECALL_INVITE: "off" });
  expect(await claude.sessionStart("startup")).toMatchObject(silent);
  const answer = await claude.prompt(question);
  expect(answer).toMatchObject(spoken);
  expect(answer.told).toContain("copying the ICC chunk");
  expect(answer.told?.length).toBeLessThanOrEqual(2_000);
  claude.say("Because a conversion loses colours.");

  // The prompt was told that turn.
  expect(await claude.tool("Read", { file_path: path("src/thumbnail.ts") })).toMatchObject(silent);

  const again = await claude.prompt(question);
  expect(again.told ?? "").not.toContain("copying the ICC chunk");
  expect(await claude.stop()).toMatchObject(silent);
  expect(await claude.end()).toMatchObject(silent);
  await workerDone(sandbox);

  using database = new Database(sandbox.memory("mementor.db"), { readonly: true });
  const own = database
    .query(
      "SELECT count(*) AS turns, sum(full_text LIKE '%Notes from earlier%') AS told FROM turns WHERE session_id = ?",
    )
    .get(claude.sessionId);
  expect(own).toEqual({ turns: 2, told: 0 });
  const calls = database
    .query("SELECT event, decision FROM hook_calls WHERE session_id = ? ORDER BY id")
    .all(claude.sessionId);
  expect(calls.slice(0, 2)).toEqual([
    { event: "session-start", decision: "caught up" },
    { event: "user-prompt-submit", decision: "told" },
  ]);
});

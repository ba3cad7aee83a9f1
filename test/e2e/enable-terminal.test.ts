import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sampleHistory } from "../support/history.ts";
import { Sandbox } from "../support/sandbox.ts";
import { onTerminal } from "../support/terminal.ts";

const QUESTION = "It stays on this machine. [Y/n/q]";

/** Few, since a worker embeds them. */
const FEW = ["27c96b1d-3e4f-4a50-b867-8d7c6b5a4f11.jsonl", "1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601.jsonl"];

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create();
  sampleHistory(sandbox.home, sandbox.project, FEW);
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const settings = () => join(sandbox.project, ".claude", "settings.local.json");
const plain = { NO_COLOR: "1" };

test.each([
  ["q", "q\n", 0],
  ["Ctrl-C", "\x03", 130],
  ["the end of the input", "\x04", 0],
])("%s at the question changes nothing, and that is said", async (_name, keys, code) => {
  const before = readdirSync(sandbox.home, { recursive: true });
  const { screen, exitCode } = await onTerminal(sandbox, ["enable"], {
    columns: 200,
    env: plain,
    typed: [[QUESTION, keys]],
  });
  expect(screen).toContain(`Writes    ${settings()}: the hooks (only for you, in this project)`);
  expect(screen).toEndWith("Nothing was changed.\n");
  expect([exitCode, readdirSync(sandbox.home, { recursive: true })]).toEqual([code, before]);
  expect(readdirSync(sandbox.project)).toEqual([".git"]);
});

test("no enables without the history, what is no answer is asked again, and the second run offers what is new", async () => {
  const typed = [
    [QUESTION, "perhaps\n"],
    [QUESTION, "n\n"],
  ] as const;
  const first = await onTerminal(sandbox, ["enable"], { columns: 200, env: plain, typed });
  expect(first.screen).toContain("Read 2 earlier conversations (");
  expect(first.screen).toContain("Please answer y for yes, n for no, or q to quit.");
  expect(first.screen).toContain('2 earlier conversations left unread; "mementor ingest" reads them');
  expect([first.exitCode, existsSync(settings())]).toEqual([0, true]);

  const second = await onTerminal(sandbox, ["enable"], {
    columns: 200,
    env: plain,
    typed: [[QUESTION, "\n"]],
  });
  expect(second.screen).not.toContain("Writes");
  expect(second.screen).toContain("11 turns read from 2 sessions");

  const third = await onTerminal(sandbox, ["enable"], { columns: 200, env: plain });
  expect(third.screen).not.toContain("[Y/n/q]");
  expect(third.screen).toContain("2 earlier conversations, all read");
});

test("on a terminal in the root of the disk it asks nothing, offers no file, and says what to do", async () => {
  const before = readdirSync(sandbox.home, { recursive: true });
  const { screen, exitCode } = await onTerminal(sandbox, ["enable"], {
    ...{ cwd: "/", columns: 200, env: plain },
  });
  expect(screen).toContain("/ is the root of the disk, not a project.");
  expect(screen).toContain("Name the directory of a project: mementor -C DIR enable.");
  expect(screen).not.toMatch(/settings\.local\.json|\[Y\/n|earlier conversations/);
  expect([exitCode, readdirSync(sandbox.home, { recursive: true })]).toEqual([64, before]);
});

test("on a terminal in no project it asks whether this is the directory, and no changes nothing", async () => {
  const papers = join(sandbox.home, "papers");
  mkdirSync(papers);
  const before = readdirSync(sandbox.home, { recursive: true });
  const { screen, exitCode } = await onTerminal(sandbox, ["enable"], {
    ...{ cwd: papers, columns: 300, env: plain },
    typed: [["enable --scope user. [", "n\n"]],
  });
  expect(screen).toContain(`${papers} is not in a repository, and does not look like a project.`);
  expect(screen).not.toContain("earlier conversations");
  expect(screen).toEndWith("Nothing was changed.\n");
  const preview = await onTerminal(sandbox, ["enable", "--dry-run"], {
    cwd: papers,
    columns: 300,
    env: plain,
  });
  expect(preview.screen).toStartWith(
    "Asks      first whether this directory is a project: it is not in a repository, and does not look like one\nWrites    ",
  );
  expect([exitCode, readdirSync(sandbox.home, { recursive: true })]).toEqual([0, before]);
});

const codex = (...path: string[]) => join(sandbox.home, ".codex", ...path);
const enableTrusted = () =>
  onTerminal(sandbox, ["enable", "--no-history", "--for", "codex"], {
    columns: 300,
    env: plain,
    typed: [["in Codex's config.toml? [", "y\n"]],
  });

test.each([
  [
    "cannot be written",
    () => symlinkSync(codex("none", "config.toml"), codex("config.toml")),
    "Cannot write",
  ],
  [
    "has another form",
    () => writeFileSync(codex("config.toml"), "hooks = { state = {} }\n"),
    'Type "/hooks" in Codex, and trust them there.',
  ],
])("where Codex's configuration %s, enable says so and goes on", async (_, make, said) => {
  mkdirSync(codex());
  make();
  const { screen, exitCode } = await enableTrusted();
  expect(screen).toContain(said);
  expect(screen).toContain("Trust the hooks of Codex");
  expect([exitCode, existsSync(codex("hooks.json"))]).toEqual([0, true]);
});

test("Codex's configuration that trusts the hooks already stays as it is", async () => {
  mkdirSync(codex());
  await enableTrusted();
  const trusted = readFileSync(codex("config.toml"), "utf8").trimEnd();
  expect(trusted).toContain("trusted_hash");
  writeFileSync(codex("config.toml"), trusted);
  rmSync(codex("hooks.json"));
  const { screen } = await enableTrusted();
  expect(screen).not.toContain("not trusted:");
  expect(readFileSync(codex("config.toml"), "utf8")).toBe(trusted);
});

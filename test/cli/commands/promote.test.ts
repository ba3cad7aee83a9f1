import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../../../src/cli/run.ts";
import { HookProject, NOW } from "../../hooks/hook-project.ts";
import { hostIn } from "../../support/host.ts";

const CAUSE = "The proxy drops the range header, so an upload never resumes behind it.";
const LINE = `2026-03-01: ${CAUSE}`;
const SECRET = "npm_FAKEfakeFAKEfakeFAKEfakeFAKEfake1234";
const RULES = "# Rules\r\n\r\n- Never:\r\n  - push \xff";

let project: HookProject;
let now = NOW;
beforeEach(async () => {
  now = NOW;
  project = new HookProject();
  project.enable();
  const said = (text: string) => `[User] Why does the resume of an upload fail?\n\n[Assistant] ${text}`;
  const facts = { createdAt: "2026-03-01T08:00:00.000Z" };
  await project.seed([
    { sessionId: "earlier", text: said(CAUSE), ...facts },
    {
      sessionId: "other",
      text: said(`The upload signs in with ${SECRET} at the proxy of the shop.`),
      ...facts,
    },
    { sessionId: "noted", text: `[Note by an agent] ${CAUSE}`, origin: "agent", ...facts },
    { sessionId: "cut", text: said("The upload signs in with [redacted:npm] at the proxy."), ...facts },
    { sessionId: "silent", text: "[Assistant] ```\nconst a = 1;\n```", ...facts },
    {
      sessionId: "inc",
      text: said("Uploads read @docs/up.md first <!-- and `@types/x` then, b@c.de says."),
      ...facts,
    },
  ]);
});
afterEach(() => project[Symbol.dispose]());

/** Runs `mementor note --to`, into the file that is there; with answers, as if a person sat at a terminal. */
const promote = (args: string, ...answers: string[]) => {
  const to = existsSync(path("AGENTS.md")) ? "AGENTS.md" : "CLAUDE.md";
  const isNamed = /--(?:to|undo)\b/.test(args);
  return run(`note ${args}${isNamed ? "" : ` --to ${to}`}`, ...answers);
};

async function run(args: string, ...answers: string[]) {
  const argv = args.split(" ");
  const { host, written } = hostIn({ argv, cwd: project.root, homeDir: project.home, now });
  const isTerminal = answers.length > 0;
  const exitCode = await runCli({
    ...host,
    stdin: { ...host.stdin, isTerminal, readLine: async () => answers.shift() ?? null },
    stderr: { ...host.stderr, isTerminal },
  });
  return { exitCode, ...written };
}

const path = (name: string) => join(project.root, name);
const write = (name: string, content: string) => writeFileSync(path(name), content, "latin1");
const read = (name: string) => readFileSync(path(name), "latin1");

const told = (session: string) =>
  project.told(
    "user-prompt-submit",
    {
      ...{ session_id: session, cwd: project.root, hook_event_name: "UserPromptSubmit" },
      prompt: "why does the upload never resume behind the proxy?",
    },
    { env: { MEMENTOR_SEARCH_GATE: "off" } },
  );

test("a statement is written as one line with its date, after the diff and a question", async () => {
  write("CLAUDE.md", RULES);
  expect(await promote("1", "n")).toMatchObject({
    exitCode: 0,
    stdout: `CLAUDE.md, at its end:\n+ ${LINE}\nNothing was written.\n`,
  });
  expect(read("CLAUDE.md")).toBe(RULES);
  expect((await promote("1", "y")).stdout).toContain("Turn 1 is now in CLAUDE.md.");
  expect(read("CLAUDE.md")).toBe(`${RULES}\r\n\r\n${LINE}`);
  expect((await promote("1 --yes")).stdout).toBe("Turn 1 is already in CLAUDE.md.\n");
});

test("where nothing in a turn is a rule, a decision or a reason, it asks which sentence is meant", async () => {
  write("CLAUDE.md", "# Rules\n");
  const said = "Unit tests pin the order of the lids.\n\nThe valve of the kettle opens at ninety degrees.";
  await project.seed([{ sessionId: "weak", text: `[User] And?\n\n[Assistant] ${said}` }]);
  const asked = await promote("7", "2", "y");
  const [, second = ""] = /^ {2}2 {2}(.*)$/m.exec(asked.stdout) ?? [];
  expect(asked.stdout).toStartWith("No sentence of it states a rule, a decision or a reason.\n  1  ");
  expect(asked.stderr).toContain("Which one? [1-2/q] ");
  expect(read("CLAUDE.md")).toEndWith(`\n${second}\n`);
  expect((await promote("7 --undo")).exitCode).toBe(0);
  expect((await promote("7", "q")).stdout).toEndWith("Nothing was written.\n");
  expect((await promote("7 --print", "x")).stderr).toBe("");
});

test("--undo takes it out, and every other byte stays; a file made for it goes", async () => {
  write("AGENTS.md", RULES);
  await promote("1 --yes");
  expect(read("AGENTS.md")).toContain(LINE);
  expect((await promote("1 --undo")).stdout).toBe("Removed the line of turn 1 from AGENTS.md.\n");
  expect(read("AGENTS.md")).toBe(RULES);
  expect((await promote("1 --undo")).stdout).toBe("The project's instructions contain no line of turn 1.\n");
  rmSync(path("AGENTS.md"));
  await promote("1 --yes");
  expect(read("CLAUDE.md")).toBe(`${LINE}\n`);
  await promote("1 --undo");
  expect(existsSync(path("CLAUDE.md"))).toBe(false);
});

test("the options of a promotion without a file are refused", async () => {
  for (const option of ["--yes", "--print", "--about shop"])
    expect(await run(`note 1 ${option}`)).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining("for --to."),
    });
});

test("--to names the files that it may be", async () => {
  const { stderr } = await promote("1 --to foo.txt");
  expect(stderr).toStartWith('mementor: --to must be CLAUDE.md or AGENTS.md, not "foo.txt".\n');
});

test("without a look at it, no line is written that says no rule, decision or reason", async () => {
  await project.seed([
    { sessionId: "green", text: "[User] run them\n\n[Assistant] The server is starting in the background." },
  ]);
  const refused = {
    exitCode: 64,
    stderr: expect.stringContaining("No sentence of turn 7 states a rule, a decision or a reason."),
  };
  expect(await promote("7 --yes")).toMatchObject(refused);
  expect(await promote("7 --json --to CLAUDE.md --yes")).toMatchObject(refused);
  expect((await promote("7", "y")).stdout).toContain("The server is starting in the background.");
});

test("--print only prints, and without a terminal it takes --yes", async () => {
  expect(await promote("1 --print")).toEqual({ exitCode: 0, stdout: `${LINE}\n`, stderr: "" });
  expect((await promote("1")).stderr).toContain('Add "--yes"');
  expect([existsSync(path("CLAUDE.md")), existsSync(join(project.memoryDir, "promoted.json"))]).toEqual([
    false,
    false,
  ]);
});

test.each([
  ["2", "holds a secret"],
  ["3", "an agent noted it"],
  ["4", "holds a secret, or the place of one"],
  ["5", "no words of it are the user's or the agent's own"],
  ["99", "There is no turn 99"],
])("turn %s is refused, printed or written", async (turn, why) => {
  for (const how of ["--print", "--yes"]) {
    const { exitCode, stdout, stderr } = await promote(`${turn} ${how}`);
    expect([exitCode > 0, stdout, stderr]).toEqual([true, "", expect.stringContaining(why)]);
  }
  expect(existsSync(path("CLAUDE.md"))).toBe(false);
});

test("what the turn does not say is refused, and where it says no rule, what to do is said", async () => {
  expect(await promote("1 --about zzzz --print")).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining('own are about "zzzz"'),
  });
});

test("a line includes no file and begins no comment", async () => {
  expect((await promote("6 --print")).stdout).toBe(
    "2026-03-01: Uploads read `@docs/up.md` first ‹!-- and `@types/x` then, b@c.de says.\n",
  );
});

test("where a file is a link its target is written, once; not out of the project, and Markdown only", async () => {
  write("AGENTS.md", "# B\n");
  symlinkSync("AGENTS.md", path("CLAUDE.md"));
  await promote("1 --yes");
  expect([read("AGENTS.md"), lstatSync(path("CLAUDE.md")).isSymbolicLink()]).toEqual([
    `# B\n\n${LINE}\n`,
    true,
  ]);
  await promote("1 --undo");
  expect(read("AGENTS.md")).toBe("# B\n");
  const others = [
    ["home/.profile", "not in the project"],
    ["home/.claude/CLAUDE.md", "not in the project"],
    ["Makefile", "is no Markdown"],
  ] as const;
  for (const [name, why] of others) {
    const target = name.startsWith("home") ? project.file(name, "all:\n") : path(name);
    writeFileSync(target, "all:\n");
    rmSync(path("AGENTS.md"));
    symlinkSync(target, path("AGENTS.md"));
    for (const to of ["AGENTS.md", "CLAUDE.md"]) {
      const { stderr } = await promote(`1 --yes --to ${to}`);
      expect(stderr).toContain(why);
      expect(stderr).toContain("--print");
    }
    expect(readFileSync(target, "utf8")).toBe("all:\n");
  }
  rmSync(path("AGENTS.md"));
  expect((await promote("1 --yes --to CLAUDE.md")).stderr).toContain("does not exist");
  rmSync(path("CLAUDE.md"));
  write("CLAUDE.md", "# Rules\r\n```\r\nmake\r\n");
  expect((await promote("1 --yes")).stderr).toContain("ends in a code block");
  rmSync(path("CLAUDE.md"));
  mkdirSync(path("CLAUDE.md"));
  expect((await promote("1 --yes --to CLAUDE.md")).stderr).toContain("is no file");
});

test("forgetting a turn takes its line out, and says so before it asks", async () => {
  write("AGENTS.md", RULES);
  await promote("1 --yes");
  const asked = await run("forget 1", "n");
  expect(asked.stdout).toContain("the line of turn 1 in AGENTS.md, which goes, too");
  expect(read("AGENTS.md")).toContain(LINE);
  const { exitCode, stdout } = await run("forget 1 --yes");
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringContaining("Removed the line of turn 1 from AGENTS.md."),
  ]);
  expect(read("AGENTS.md")).toBe(RULES);
});

test("where the line of a forgotten turn cannot be taken out it is named, and --undo takes it out later", async () => {
  write("AGENTS.md", "# B\n");
  await promote("1 --yes");
  const open = read("AGENTS.md");
  write("AGENTS.md", `${open}\`\`\`\nmake\n`);
  const { stdout } = await run("forget 1 --yes");
  expect(stdout).toContain("The line of turn 1 is still in AGENTS.md: AGENTS.md ends in a code block");
  expect((await promote("1 --undo")).stderr).toContain("ends in a code block");
  write("AGENTS.md", open);
  expect((await promote("1 --undo")).stdout).toBe("Removed the line of turn 1 from AGENTS.md.\n");
  expect(read("AGENTS.md")).toBe("# B\n");
});

test("no hook tells a promoted turn while its line stands, however the rest of the turn reads", async () => {
  expect(await told("a")).toContain("session earlier, turn 1,");
  await promote("1 --yes");
  expect(await told("b")).not.toContain("session earlier, turn 1,");
  const text = read("CLAUDE.md");
  write("CLAUDE.md", "# Rules\n");
  expect(await told("c")).toContain("session earlier, turn 1,");
  write("CLAUDE.md", text);
  expect(await told("d")).not.toContain("session earlier, turn 1,");
  await promote("1 --undo");
  expect(await told("e")).toContain("session earlier, turn 1,");
});

test("doctor names a line whose turn is gone, and it can be taken out", async () => {
  const promoted = async () => {
    const found: { name: string; message: string }[] = JSON.parse((await run("doctor --json")).stdout);
    return found.filter(({ name }) => name === "promoted").map(({ message }) => message);
  };
  expect(await promoted()).toEqual([]);
  await promote("1 --to CLAUDE.md --yes");
  expect(await promoted()).toEqual(["The turns of all promoted lines are still in the memory."]);
  now = new Date("2027-01-01T00:00:00Z");
  expect(await run("forget --before 90d --prune --yes")).toMatchObject({ exitCode: 0 });
  expect(await promoted()).toEqual([
    'Promoted lines of turns that were pruned, or forgotten on another machine: turn 1 in CLAUDE.md. "mementor note TURN --undo" removes a line.',
  ]);
  expect((await promote("1 --undo --yes")).exitCode).toBe(0);
  expect(await promoted()).toEqual([]);
});

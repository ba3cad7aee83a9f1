import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleHistory } from "../../support/history.ts";
import { runIn } from "../../support/host.ts";
import { type Talk, writeSession } from "../../support/projects.ts";

const NOW = new Date("2026-11-22T12:00:00Z");

let root = "";
let home = "";
let project = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "mementor-enable-")));
  [home, project] = [join(root, "home"), join(root, "project")];
  for (const directory of [home, project]) mkdirSync(directory);
  execFileSync("git", ["-C", project, "init", "-q"]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const enable = (...options: string[]) => mementor(["enable", ...options]);
const mementor = async (argv: string[], cwd = project) => {
  const { stdout, stderr, exitCode } = await runIn({ argv, cwd, homeDir: home, now: NOW });
  return { exitCode, text: (stdout + stderr).replaceAll(root, "") };
};
const historyOf = (text: string) => text.split("\n").find((line) => line.startsWith("History"));

test("the hooks go to the settings that only the user sees, which git leaves out until disable", async () => {
  const { text } = await enable("--no-history");
  expect(text).toStartWith(
    `Writes    /project/.claude/settings.local.json: the hooks (only for you, in this project)
          /project/.claude/settings.local.json: Claude Code may run "mementor recall" without asking you; not with --no-approve
          /project/.mementor/pointer.json: where the memory is
          /project/.git/info/exclude: the name of your settings file, so that git ignores it
`,
  );
  expect(execFileSync("git", ["-C", project, "status", "--porcelain"]).toString()).toBe("");
  const before = readFileSync(join(project, ".git/info/exclude"), "utf8");
  expect(before).toContain("/.claude/settings.local.json\n");
  const disabled = await mementor(["disable"]);
  expect(disabled.text).toContain("Git       /project/.git/info/exclude (taken out)\n");
  expect(readFileSync(join(project, ".git/info/exclude"), "utf8")).not.toContain("settings.local.json");
});

test("in the home directory it refuses, and says what to do", async () => {
  const { exitCode, text } = await mementor(["enable"], home);
  expect(exitCode).toBe(64);
  expect(text).toContain("/home is your home directory, not a project.");
  expect(text).toContain("For all your projects: mementor enable --scope user");
  expect(existsSync(join(home, ".mementor"))).toBe(false);
  mkdirSync(join(home, "notes"));
  expect((await mementor(["enable", "--no-history"], join(home, "notes"))).exitCode).toBe(0);
});

test("what is shared with the repository stays shared, and is asked for by name", async () => {
  const shared = await enable("--no-history", "--scope", "project");
  expect(shared.text).toContain("/project/.claude/settings.json (created; shared with the repository)");
  expect((await enable("--no-history")).text).toContain(
    "settings.json (unchanged; shared with the repository)",
  );
  expect(readFileSync(join(project, ".claude/settings.local.json"), "utf8")).not.toContain("hooks");
});

test("the history is read in the background where nobody answers, and at once with --yes", async () => {
  sampleHistory(home, project);
  const preview = await enable("--dry-run");
  expect(preview.text).toMatch(/^Reads {5}12 earlier conversations \(.*\), in the background$/m);
  expect(preview.text).toContain("git: /project/.git/info/exclude (");
  expect(historyOf((await enable()).text)).toBe(
    'History   12 earlier conversations are read in the background; "mementor status" shows how far',
  );
  const { text } = await enable("--yes");
  expect(historyOf(text)).toMatch(/^History {3}62 turns read from 12 sessions in \d+\.\d s$/);
  expect(text).not.toMatch(/chunk|embed/);
  expect(text).toContain("Reading ");
  expect((await enable("--yes")).text).not.toContain("Reading ");
  expect(historyOf((await enable("--no-history")).text)).toBe("History   12 earlier conversations, all read");
});

test("says that a copy of a conversation, as a fork leaves one, holds nothing more", async () => {
  const [first, fork] = [
    "11111111-1111-4111-8111-111111111111",
    "22222222-2222-4222-8222-222222222222",
  ] as const;
  const talk: [string, string][] = [
    ["Keep the gate's log for 30 days.", "Done."],
    ["And the depot's for 90.", "Done."],
  ];
  const file = writeSession({ home }, project, talk, { sessionId: first });
  writeFileSync(file.replace(first, fork), readFileSync(file, "utf8").replaceAll(first, fork));
  expect(historyOf((await enable("--yes")).text)).toMatch(
    /^History {3}2 turns read from 1 of 2 sessions, the rest copies or empty, in \d+\.\d s$/,
  );
});

/** The question that `enable` shows with its answer, by whom and when; null where it shows none. */
function exampleIn(text: string) {
  const example =
    /It answers already, as your agents will be answered:\n {2}mementor recall '([^\n]*)'\n {4}([^\n]*)\n/;
  const [, question = "", answer = ""] = example.exec(text) ?? [];
  return question === "" ? null : { question, answer };
}

/** What was said on the first matter that `recall` tells. */
async function recalled(question: string) {
  const { text } = await mementor(["recall", question]);
  return text.split(/^2\. /m)[0] ?? "";
}

test("enable ends with a question of the user's that recall answers", async () => {
  sampleHistory(home, project);
  const example = exampleIn((await enable("--yes")).text);
  expect(example?.question).toBe("and a command that tells whether a database is healthy?");
  const says = "`tidemark doctor` checks the pages (`integrity_check`)";
  expect(example?.answer).toMatch(new RegExp(`^Claude, \\d+ Mar \\d\\d:\\d\\d: ${RegExp.escape(says)}`));
  expect(await recalled(example?.question ?? "")).toContain(`\n> Claude: ${says}`);
});

const ASKS = "Should long lines be wrapped in the handbook?";
const RULED = "Never, because that breaks the printed pages";
const ANSWERED = { question: ASKS, answer: RULED };

test("the question is one that the user answered before others", async () => {
  writeSession({ home }, project, [
    ["why are there no tabs in the tables of the almanac?", "The printer of the almanac must have blanks."],
    ["go on", "I took the line breaks out of `handbook.md`.", ANSWERED],
    ["commit", "Committed."],
  ]);
  const { text } = await enable("--yes");
  expect(exampleIn(text)).toEqual({
    question: ASKS,
    answer: expect.stringMatching(/^You, .*: Never, because that breaks the printed pages$/),
  });
  expect(await recalled(ASKS)).toContain(`Answer: ${RULED}`);
  const { stdout } = await runIn({
    argv: ["enable", "--yes", "--json"],
    cwd: project,
    homeDir: home,
    now: NOW,
  });
  expect(JSON.parse(stdout).recalls).toMatchObject([{ query: ASKS, says: RULED, confidence: "strong" }]);
});

test.each<[string, Talk]>([
  ["what was pasted", [[`what do you think of this mail?\n\n> ${RULED}`, "It asks for whole lines."]]],
  ["a pasted question with its answer", [[`Question: ${ASKS}\nAnswer: ${RULED}`, "Done."]]],
  [
    "what the user ruled otherwise later",
    [
      ["go on", "Done.", ANSWERED],
      ["wrap long lines in the handbook after all", "Done."],
    ],
  ],
  ["a request", [["please add a chapter about lines to the handbook", "Added."]]],
  ["a question whose answer asks back", [["how are lines kept in the handbook?", "Shall they be whole?"]]],
])("no question is made of %s", async (_, talk) => {
  writeSession({ home }, project, talk);
  expect((await enable("--yes")).text).not.toContain("It answers already");
});

test("no question is made of what the user ruled otherwise in a later session", async () => {
  writeSession({ home }, project, [["go on", "Done.", ANSWERED]]);
  writeSession(
    { home },
    project,
    [["The pages of the handbook are on screens now. Wrap its long lines.", "Done."]],
    {
      day: 4,
    },
  );
  expect((await enable("--yes")).text).not.toContain("It answers already");
});

test("no question is made of what was muted", async () => {
  writeSession({ home }, project, [["go on", "Done.", ANSWERED]]);
  expect(exampleIn((await enable("--yes")).text)?.question).toBe(ASKS);
  await mementor(["mark", "mute", "1"]);
  expect(exampleIn((await enable("--yes")).text)).toBeNull();
});

test("a project without conversations is told what happens after the first", async () => {
  const words = "In later sessions Claude is told what was said before where that helps, and can ask.";
  expect((await enable()).text).toContain(words);
  writeSession({ home }, project, [["hello", "Hello."]]);
  expect((await enable("--no-history")).text).not.toContain(words);
});

test.each([
  ["the home directory", () => home, "/home is your home directory, not a project."],
  ["a directory above it", () => root, " is above your home directory, not a project."],
  ["the root of the disk", () => "/", "/ is the root of the disk, not a project."],
])("in %s it asks for the directory, or for all projects", async (_, directory, message) => {
  for (const options of [[], ["--dry-run"], ["--yes"]]) {
    const { exitCode, text } = await mementor(["enable", ...options], directory());
    expect([exitCode, text]).toEqual([
      64,
      `mementor: ${message}\n  Name the directory of a project: mementor -C DIR enable. For all your projects: mementor enable --scope user\n`,
    ]);
  }
});

test("hooks of Codex that wait for trust are the next step, and not in a project that is not enabled", async () => {
  const trust = 'Trust the hooks of Codex: type "/hooks" there';
  const { text } = await enable("--no-history", "--for", "codex");
  expect(text).toContain(
    `\nNext      ${trust}. Until then they are skipped.\n          Start Claude Code here;`,
  );
  expect((await mementor(["status"])).text).toContain(trust);
  const other = join(root, "other");
  mkdirSync(other);
  execFileSync("git", ["-C", other, "init", "-q"]);
  const { text: elsewhere } = await mementor(["status"], other);
  expect(elsewhere).toContain("mementor enable");
  expect(elsewhere).not.toContain(trust);
});

test("Codex may ask the memory by a file of ours, said before it is written and named by status, until disable", async () => {
  const rules = join(home, ".codex/rules/mementor.rules");
  const may = 'Codex may run "mementor recall" without asking you';
  const forCodex = (...options: string[]) => enable("--no-history", "--for", "codex", ...options);
  expect((await forCodex("--dry-run")).text).toContain(
    `          Codex: /home/.codex/rules/mementor.rules (new)\n            ${may}\n`,
  );
  expect(existsSync(rules)).toBe(false);
  const { text } = await forCodex();
  expect(text.indexOf(`/home/.codex/rules/mementor.rules: ${may}; not with --no-approve\n`)).toBeGreaterThan(
    0,
  );
  expect(text).toContain(
    'Codex: /home/.codex/rules/mementor.rules (created); it may run "mementor recall" without asking you\n',
  );
  const program = join(home, ".local/share/mementor/bin/mementor");
  expect(readFileSync(rules, "utf8")).toContain(`pattern = ["${program}", "recall"]`);
  expect((await mementor(["status"])).text).toContain(`          ${may}\n`);
  expect((await enable("--no-history")).text).not.toContain("not with --no-approve");
  expect((await mementor(["disable", "--dry-run"])).text).toContain(
    "May ask   /home/.codex/rules/mementor.rules (file would be removed)\n",
  );
  expect((await mementor(["disable"])).text).toContain(
    "May ask   /home/.codex/rules/mementor.rules (file removed)\n",
  );
  expect(existsSync(join(home, ".codex/rules"))).toBe(false);
});

test("--no-approve takes Codex's leave back, and a changed file of rules stays and is named", async () => {
  const rules = join(home, ".codex/rules/mementor.rules");
  await enable("--no-history", "--for", "codex");
  const { text } = await enable("--no-history", "--for", "codex", "--no-approve");
  expect(text).toContain("Codex: /home/.codex/rules/mementor.rules (removed)\n");
  expect(existsSync(rules)).toBe(false);
  expect((await mementor(["status"])).text).toContain(
    'Codex asks you before it runs "mementor recall"; "mementor enable --for codex" changes that\n',
  );
  const theirs = 'prefix_rule(pattern = ["mementor"], decision = "prompt")\n';
  mkdirSync(join(home, ".codex/rules"));
  writeFileSync(rules, theirs);
  const stays = "/home/.codex/rules/mementor.rules (stays: its content is not mementor's)\n";
  expect((await enable("--no-history", "--for", "codex")).text).toContain(`Codex: ${stays}`);
  expect((await mementor(["status"])).text).toContain(
    "rules/mementor.rules has other content than mementor writes, which",
  );
  expect((await mementor(["uninstall", "--dry-run"])).text).toContain(
    "/home/.codex/rules/mementor.rules stays: its content is not mementor's.\n",
  );
  const disabled = await mementor(["disable"]);
  expect([disabled.exitCode, readFileSync(rules, "utf8")]).toEqual([0, theirs]);
  expect(disabled.text).toContain(`May ask   ${stays}`);
});

test("an empty memory says why nothing is found, and what to do", async () => {
  await enable("--no-history");
  const why =
    "The memory is empty: nothing was read yet. The next session will be; to read earlier ones: mementor ingest\n";
  expect((await mementor(["search", "retries", "--mode", "keyword"])).text).toBe(
    `Nothing was found.\n${why}`,
  );
  expect((await mementor(["recent"])).text).toBe(`No turns.\n${why}`);
  await mementor(["note", "We keep the API synchronous, because clients retry."]);
  expect((await mementor(["search", "zzzz", "--mode", "keyword"])).text).toBe("Nothing was found.\n");
  expect((await mementor(["recent", "--until", "2020-01-01"])).text).toBe("No turns.\n");
});

test("where nobody can be asked, enable says that a directory looks like no project, and which is meant", async () => {
  const plain = join(root, "plain");
  mkdirSync(plain);
  const said = (does: string) =>
    `Note      /plain is not in a repository, and does not look like a project: this ${does} a memory for that directory
          for another one: mementor -C DIR enable; for all your projects: mementor enable --scope user
`;
  expect((await mementor(["enable", "--dry-run"], plain)).text).toContain(said("would make"));
  expect((await mementor(["enable"], plain)).text).toContain(said("makes"));
  expect((await enable("--no-history")).text).not.toContain("does not look like a project");
});

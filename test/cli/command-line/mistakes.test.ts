import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { runIn } from "../../support/host.ts";

const HINT = 'For other projects, or a server, run "mementor search", which may ask the user first.';

test.each([
  ["install", "enable"],
  ["init", "enable"],
  ["setup", "enable"],
  ["find", "search"],
  ["grep", "search"],
  ["ls", "recent"],
  ["history", "recent"],
  ["good", "mark good"],
  ["unpin", "mark pin --undo"],
  ["marks", "mark"],
  ["help version", "--version"],
  ["help mute", "help mark"],
  ["help init", "help enable"],
  ["turns", "show <session> --turns"],
  ["related", "show <turn|session|path> --related"],
  ["resume", "show <turn|session> --resume"],
  ["prs", "commits --prs"],
  ["help prs", "help commits"],
])("who types %s is told of %s", async (line, meant) => {
  const facts = { cwd: tmpdir(), homeDir: tmpdir(), now: new Date("2026-03-01T00:00:00Z") };
  const { stderr } = await runIn({ argv: line.split(" "), ...facts });
  const typed = line.replace("help ", "");
  expect(stderr).toBe(`mementor: There is no command "${typed}".\n  Did you mean "mementor ${meant}"?\n`);
});

test.each([
  [["show", "1", "--turns", "--resume"], "--turns and --resume exclude each other."],
  [["show", "1", "--exec"], "--exec is for --resume."],
  [["show", "1", "-n", "3"], "--limit is for --related."],
  [["show", "1", "--since", "1d"], "--since is for --turns and --related."],
  [["show", "1", "--resume", "--human"], "--human is for --turns and --related."],
  [["commits", "3f2a9c1", "--prs"], "--prs lists pull requests, and a hash names a commit."],
])("%p says which options belong together", async (argv, message) => {
  const facts = { cwd: tmpdir(), homeDir: tmpdir(), now: new Date("2026-03-01T00:00:00Z") };
  const { exitCode, stderr } = await runIn({ argv, ...facts });
  expect({ exitCode, message: stderr.split("\n")[0] }).toEqual({
    exitCode: 64,
    message: `mementor: ${message}`,
  });
});

test("an option without its value says what the value is", async () => {
  const facts = { cwd: tmpdir(), homeDir: tmpdir(), now: new Date("2026-03-01T00:00:00Z") };
  const { stderr } = await runIn({ argv: ["forget", "--imported"], ...facts });
  expect(stderr).toBe(
    "mementor: --imported needs a value.\n  Write --imported <name>: Turns that were imported from the memory of this name.\n",
  );
});

test("only where a word with a dash stands in place of a value, it says how to write such a value", async () => {
  const facts = { cwd: tmpdir(), homeDir: tmpdir(), now: new Date("2026-03-01T00:00:00Z") };
  const { stderr } = await runIn({ argv: ["forget", "--imported", "-x"], ...facts });
  expect(stderr).toEndWith(
    'of this name. Where the value begins with a dash, write it with "=": --imported=-x.\n',
  );
});

test.each([
  [["recall", "-C", "x", "why"], " It takes no -C."],
  [["recall", "-Cx", "why"], " It takes no -C."],
  [["recall", "--db=x", "why"], " It takes no --db."],
  [["recall", "--project", "x"], " It takes no --project."],
  [["-C", "x", "recall", "why"], ""],
])("%j is told that recall reads this project only", async (argv, no) => {
  const facts = { cwd: tmpdir(), homeDir: tmpdir(), now: new Date("2026-03-01T00:00:00Z") };
  const { exitCode, stdout, stderr } = await runIn({ argv, ...facts });
  expect([exitCode, stdout]).toEqual([64, ""]);
  expect(stderr).toBe(`mementor: mementor recall reads this project only.${no}\n  ${HINT}\n`);
});

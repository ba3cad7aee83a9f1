import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { runIn } from "../support/host.ts";

const HINT = 'For other projects, or a server, run "mementor search", which may ask the user first.';

test.each([
  ["install", "enable"],
  ["init", "enable"],
  ["setup", "enable"],
  ["find", "search"],
  ["grep", "search"],
  ["ls", "recent"],
  ["history", "recent"],
  ["help version", "--version"],
  ["help init", "help enable"],
])("who types %s is told of %s", async (line, meant) => {
  const facts = { cwd: tmpdir(), homeDir: tmpdir(), now: new Date("2026-03-01T00:00:00Z") };
  const { stderr } = await runIn({ argv: line.split(" "), ...facts });
  const typed = line.replace("help ", "");
  expect(stderr).toBe(`mementor: There is no command "${typed}".\n  Did you mean "mementor ${meant}"?\n`);
});

test("an option without its value says what the value is", async () => {
  const facts = { cwd: tmpdir(), homeDir: tmpdir(), now: new Date("2026-03-01T00:00:00Z") };
  const { stderr } = await runIn({ argv: ["forget", "--imported"], ...facts });
  expect(stderr).toBe(
    "mementor: --imported needs a value.\n  Write --imported <name>: Turns that were imported from the memory of this name.\n",
  );
});

test("who types a command with un before its name is told of --undo", async () => {
  const facts = { cwd: tmpdir(), homeDir: tmpdir(), now: new Date("2026-03-01T00:00:00Z") };
  const { stderr } = await runIn({ argv: ["unpin", "3"], ...facts });
  expect(stderr).toBe('mementor: There is no command "unpin".\n  Did you mean "mementor pin --undo"?\n');
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

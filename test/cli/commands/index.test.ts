import { expect, test } from "bun:test";
import { join } from "node:path";
import { commandIndex, commandOverview } from "../../../src/build/made.ts";
import { loadCommand, loadCommands } from "../../../src/cli/command-line/parse.ts";

const COMMANDS = join(import.meta.dir, "..", "..", "..", "src", "cli", "commands");

test("the index holds every command's file: bun run build writes it", async () => {
  expect(await Bun.file(join(COMMANDS, "index.ts")).text()).toBe(await commandIndex(COMMANDS));
});

test("the overview holds what help shows of every command: bun run build writes it", async () => {
  expect(await Bun.file(join(COMMANDS, "overview.ts")).text()).toBe(await commandOverview(COMMANDS));
});

test("a command is loaded by its name and its aliases, and by nothing else", async () => {
  for (const command of await loadCommands())
    for (const word of [command.name, ...(command.aliases ?? [])])
      expect(await loadCommand(word)).toBe(command);
  expect(await loadCommand("constructor")).toBeNull();
});

test("no two commands of one section have the same position", async () => {
  const places = (await loadCommands()).flatMap(({ help }) => help ?? []);
  const shown = places.map(({ group, position }) => `${group} ${position}`);
  expect(shown.length).toBe(new Set(shown).size);
});

import { expect, test } from "bun:test";
import { helpSections } from "../../src/command/help.ts";
import { choicesOf } from "../../src/command/schema.ts";
import { command } from "../../src/commands/team.ts";
import { renderManual } from "../../src/render/manual.ts";
import { runIn } from "../support/host.ts";

const actions = choicesOf(command.arguments.action?.schema);

test("help and the manual page have a line for each action", async () => {
  const now = new Date("2026-03-04T12:00:00Z");
  const { stdout } = await runIn({ argv: ["team", "--help"], cwd: "/", homeDir: "/nowhere", now });
  const [, section = ""] = /\nActions\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  const named = section.split("\n").map((line) => /^ {2}(\w+)( \S+)? {2,}[A-Z].+/.exec(line)?.[1]);
  expect(named).toEqual([...actions]);
  const manual = renderManual({ version: "1", sections: helpSections([command]), globals: [], filters: [] });
  expect(manual).toContain(".B join [url]\nJoin the team of this project");
});

test("help breaks its lines between words where the terminal is narrow", async () => {
  const now = new Date("2026-03-04T12:00:00Z");
  const shown = { cwd: "/", homeDir: "/nowhere", now, env: { NO_COLOR: "1" } };
  const wide = await runIn({ ...shown, argv: ["team", "--help"] });
  const narrow = await runIn({ ...shown, argv: ["team", "--help"], columns: 60 });
  const words = (text: string) => text.split(/\s+/);
  expect(words(narrow.stdout)).toEqual(words(wide.stdout));
  const [, actions = ""] = /\nActions\n([\s\S]*?)\nExamples\n/.exec(narrow.stdout) ?? [];
  expect(actions.split("\n").filter((line) => line.length > 60)).toEqual([]);
});

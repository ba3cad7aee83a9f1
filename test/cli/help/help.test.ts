import { expect, test } from "bun:test";
import { loadCommands } from "../../../src/cli/command-line/parse.ts";
import { renderManual } from "../../../src/cli/help/blocks.ts";
import { runIn } from "../../support/host.ts";

const place = { cwd: "/", homeDir: "/nowhere", now: new Date("2026-03-04T12:00:00Z") };
const shown = async (...argv: string[]) => (await runIn({ ...place, argv })).stdout;

test("a manual page is in the macros of man", () => {
  const page = renderManual(
    [
      { kind: "heading", level: 2, text: "Name" },
      { kind: "paragraph", text: "mementor-team - Share the memory" },
      { kind: "heading", level: 3, text: 'A "title"' },
      { kind: "terms", rows: [["    --yes", ".Do not ask\\now"]] },
      { kind: "code", lines: ["mementor team join"] },
    ],
    "mementor-team",
    "1.0.0",
  );
  expect(page).toBe(`.TH "MEMENTOR\\-TEAM" 1 "" "mementor 1.0.0" "User Commands"
.SH "NAME"
.PP
mementor\\-team \\- Share the memory
.SS "A ""title"""
.TP
.B \\-\\-yes
\\&.Do not ask\\enow
.PP
.nf
mementor team join
.fi
`);
});

test("the manual page of a command has its usage, actions, options and examples", async () => {
  const page = await shown("help", "sync", "--man");
  expect([...(page.match(/^\.SH .*/gm) ?? [])]).toEqual(
    ["NAME", "USAGE", "ACTIONS", "OPTIONS", "EXAMPLES"].map((title) => `.SH "${title}"`),
  );
  expect(page).toContain(".B \\-h, \\-\\-help\nShow help\n");
  expect(await shown("help", "search", "--man")).toContain(".B \\-\\-branch <name>\nTurns on this branch\n");
});

test("help and the manual of the program have a line for each action of a command", async () => {
  const manual = await shown("help", "--man");
  for (const { name, actions = [] } of await loadCommands()) {
    const help = await shown(name, "--help");
    const [, section = ""] = /\nActions\n([\s\S]*?)\n\n/.exec(help) ?? [];
    const named = section.split("\n").flatMap((line) => /^ {2}(\S.*?) {2,}/.exec(line)?.[1] ?? []);
    expect(named).toEqual(actions.map(([action]) => action));
    for (const [action, summary] of actions)
      expect(manual).toContain(`.B ${action.replaceAll("-", "\\-")}\n${summary.replaceAll("-", "\\-")}\n`);
  }
});

test.each([
  ["search", "--project, --db, --insecure, --help, --version"],
  ["team", "--project, --insecure, --help, --version"],
  ["note", "--project, --help, --version"],
  ["recall", "--help, --version"],
])("the help of %s names the options for a team's database only where one is read", async (name, named) => {
  expect(await shown(name, "--help")).toContain(`  Like every command: ${named} (see "mementor --help")\n`);
});

test("a manual page is shown as text on a terminal", async () => {
  const { stdout } = await runIn({
    ...place,
    argv: ["help", "sync", "--man"],
    columns: 80,
    env: { NO_COLOR: "1", NO_PAGER: "1" },
  });
  expect(stdout).toStartWith("Name\n\nmementor-sync - Let your memory follow you");
});

test.skipIf(!Bun.which("groff"))("the manual page of every command is sound troff", async () => {
  const names = (await loadCommands()).map(({ name }) => [name]);
  for (const topic of [[], ...names]) {
    const page = await shown("help", ...topic, "--man");
    const { stderr } = Bun.spawnSync(["groff", "-man", "-Tutf8", "-ww", "-z"], { stdin: Buffer.from(page) });
    expect({ topic, stderr: stderr.toString() }).toEqual({ topic, stderr: "" });
  }
});

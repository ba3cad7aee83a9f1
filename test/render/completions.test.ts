import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCommands } from "../../src/cli/commands.ts";
import { GLOBAL_OPTIONS } from "../../src/command/common-options.ts";
import { helpSections, optionHelp } from "../../src/command/help.ts";
import { withOwnWords } from "../../src/commands/completions/own-words.ts";
import { helpOfHelp, renderCompletions, SHELLS, type Shell } from "../../src/render/completions.ts";
import { until } from "../support/wait.ts";

async function scriptOf(shell: Shell): Promise<string> {
  const commands = helpSections(await loadCommands()).flatMap(([, listed]) => listed);
  const globals = optionHelp(GLOBAL_OPTIONS);
  const help = helpOfHelp(commands, ["privacy", "teams"], globals);
  return renderCompletions(shell, [...commands, help].map(withOwnWords), globals);
}

test.each(SHELLS)("what %s completes are words", async (shell) => {
  expect(await scriptOf(shell)).not.toContain("[object");
});

test("zsh and fish say what an action, a setting and a topic of help mean", async () => {
  const [inFish, inZsh] = [await scriptOf("fish"), await scriptOf("zsh")];
  expect(inFish).toContain(`-n '__mementor_at "config"' -f -a 'unset' -d 'Take it out of the file again'`);
  expect(inFish).toContain(
    `-n '__mementor_at "config get"' -f -a 'search.k' -d 'how many turns a search returns'`,
  );
  expect(inZsh).toContain("'rotate:Make a new key; every other device needs its code'");
  expect(inZsh).toContain("'privacy:a page of the documentation'");
});

test("recall, which agents run without asking, is offered no option that it refuses", async () => {
  const rowOf = async (shell: Shell, start: string) =>
    (await scriptOf(shell)).split("\n").filter((line) => line.trimStart().startsWith(start));
  const rows = [
    ...(await rowOf("bash", "recall) options=")),
    ...(await rowOf("zsh", "recall) _arguments")),
    ...(await rowOf("powershell", "'recall' =")),
  ];
  expect(rows.map((row) => row.match(/--(?:project|db|insecure|help|version)\b/g))).toEqual(
    rows.map(() => ["--help", "--version"]),
  );
  expect(rows).toHaveLength(3);
  const inFish = (await rowOf("fish", "complete -c mementor")).filter((row) =>
    / -l (?:project|db|help) /.test(row),
  );
  expect(inFish.map((row) => row.includes("-n 'not __mementor_in recall'"))).toEqual([true, true, false]);
});

/** What is typed before the Tab key, and the words that the program then gets. */
const CASES = [
  ["mementor sea", "search"],
  ["mementor -C / sea", "-C / search"],
  ["mementor search --from cod", "search --from codex"],
  ["mementor import --from cod", "import --from cod"],
  ["mementor --project / --db x enab", "--project / --db x enable"],
  ["mementor completions fi", "completions fish"],
  ["mementor search --mode keyw", "search --mode keyword"],
  ["mementor note 1 --to CL", "note 1 --to CLAUDE.md"],
  ["mementor search --mode=keyw", "search --mode=keyword"],
  ["mementor hel", "help"],
  ["mementor --vers", "--version"],
  ["mementor help pri", "help privacy"],
  ["mementor help sear", "help search"],
  ["mementor config ge", "config get"],
  ["mementor config get search.g", "config get search.gate"],
  ["mementor config unset --user log.l", "config unset --user log.level"],
  ["mementor config set search.gate stri", "config set search.gate strict"],
  ["mementor config set recall.file fal", "config set recall.file false"],
  ["mementor config set search.k only-on", "config set search.k only-on"],
  ["mementor show only-on", "show only-one-directory"],
  ["mementor recent --branch only-on", "recent --branch only-on"],
  ["mementor recent --pr=only-on", "recent --pr=only-on"],
  ["mementor recent --file only-on", "recent --file only-one-directory"],
  ["mementor files only-on", "files only-one-directory"],
  ["mementor model import only-on", "model import only-one-directory"],
  ["mementor sync rot", "sync rotate"],
  ["mementor sync only-on", "sync only-one-directory"],
  ["mementor enable --for cod", "enable --for codex"],
  ["mementor search --expl", "search --explain"],
  ["mementor -C / search --expl", "-C / search --explain"],
  ["mementor search foo --expl", "search foo --explain"],
  ["mementor search foo --mode keyw", "search foo --mode keyword"],
  ["mementor show 1 --thi", "show 1 --thinking"],
  ["mementor model use imp", "model use imp"],
  ["mementor plugin install unin", "plugin install unin"],
  ["mementor -C only-on", "-C only-one-directory"],
  ["mementor -C both", "-C both-directory"],
  ["mementor --project=both", "--project=both-directory"],
  ["mementor search a -C both", "search a -C both-directory"],
  ["mementor sync both", "sync both-directory"],
  ["mementor search --branch feat", "search --branch feat/colour"],
  ["mementor recent --branch=feat", "recent --branch=feat/colour"],
  ["mementor recent --since yes", "recent --since yesterday"],
  ["mementor show 124", "show 1240"],
  ["mementor recall --show 124", "recall --show 1240"],
  ["mementor recall foo --ins", "recall foo --ins"],
  ["mementor search foo --ins", "search foo --insecure"],
  ["mementor show --context 2 089", "show --context 2 0894ab12"],
  ["mementor show 1240 089", "show 1240 089"],
  ["mementor -C ./both-directory show 77", "-C ./both-directory show 7701"],
  ["mementor model use mod", "model use model-a"],
  ["mementor model import bo", "model import both-"],
  ["mementor team share of", "team share off"],
  ["mementor show --context 2 --thi", "show --context 2 --thinking"],
] as const;

/** A program that knows some names of a memory, as the completions ask for them. */
const PROGRAM = `#!/bin/sh
case "$*" in
"complete branches") printf 'feat/colour\\t\\nmain\\t\\n' ;;
"complete turns sessions") printf '1240\\tWhy: SQLite\\n1300\\t"$(date)"\\n0894ab12\\tA session [1]\\n' ;;
"-C ./both-directory complete turns sessions") printf '7701\\tThere\\n' ;;
"complete models") printf 'model-a\\t\\nother\\t\\n' ;;
esac
`;

/** How a shell starts without files of its user, and learns what the program is and how to complete it. */
const STARTS: readonly (readonly [Shell, string[], (script: string) => string])[] = [
  [
    "bash",
    ["--norc", "-i"],
    (script) => `PS1='rea''dy> '; mementor() { echo "got: $*."; }; source ${script}`,
  ],
  [
    "zsh",
    ["-f", "-i"],
    (script) =>
      `PS1='rea''dy> '; autoload -U compinit; compinit -u -D; mementor() { print -r -- "got: $*." }; source ${script}`,
  ],
  [
    "fish",
    ["--no-config", "-i"],
    (script) =>
      `function fish_prompt; echo 'rea''dy> '; end; function mementor; echo "got: $argv."; end; source ${script}`,
  ],
];

describe.each(STARTS)("%s", (shell, args, setUp) => {
  test.skipIf(!Bun.which(shell))("completes as it says", async () => {
    const directory = mkdtempSync(join(tmpdir(), "mementor-completions-"));
    mkdirSync(join(directory, "only-one-directory"));
    mkdirSync(join(directory, "both-directory"));
    writeFileSync(join(directory, "both-file"), "");
    mkdirSync(join(directory, "bin"));
    writeFileSync(join(directory, "bin", "mementor"), PROGRAM, { mode: 0o755 });
    const script = join(directory, "script");
    writeFileSync(script, await scriptOf(shell));
    const got = await typed([shell, ...args], directory, setUp(script));
    rmSync(directory, { recursive: true });
    expect(got).toEqual(CASES.map(([, words]) => words));
  });
});

/** Types each case and the keys Tab and Enter in a shell on a terminal; returns what the program got. */
async function typed(command: string[], home: string, setUp: string): Promise<string[]> {
  const decoder = new TextDecoder();
  let seen = "";
  const child = Bun.spawn(command, {
    cwd: home,
    env: {
      HOME: home,
      PATH: `${join(home, "bin")}:${process.env.PATH}`,
      TERM: "dumb",
      LANG: "C.UTF-8",
      INPUTRC: "/dev/null",
    },
    terminal: {
      cols: 200,
      rows: 50,
      data(_terminal, bytes) {
        seen += decoder.decode(bytes, { stream: true });
      },
    },
  });
  const got = () => [...seen.matchAll(/got: (.*?)[ /]?\.\r?\n/g)].map(([, words = ""]) => words);
  child.terminal?.write(`${setUp}\n`);
  await until("the shell is ready", () => seen.includes("ready> "));
  for (const [index, [line]] of CASES.entries()) {
    child.terminal?.write(`${line}\t\r`);
    await until(`"${line}" is run`, () => got().length > index);
  }
  child.kill("SIGKILL");
  await child.exited;
  return got();
}

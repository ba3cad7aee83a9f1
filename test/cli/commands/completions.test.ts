import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runIn } from "../../support/host.ts";
import { until } from "../../support/wait.ts";

/** What is typed before the Tab key, and the words that the program then gets. */
const CASES = [
  ["mementor sea", "search"],
  ["mementor search --mode=keyw", "search --mode=keyword"],
  ["mementor --project=both", "--project=both-directory"],
  ["mementor search a -C both", "search a -C both-directory"],
  ["mementor show only-on", "show only-one-directory"],
  ["mementor show 124", "show 1240"],
  ["mementor recent --branch feat", "recent --branch feat/colour"],
  ["mementor recent --branch only-on", "recent --branch only-on"],
  ["mementor 'two words' thi", "two words this"],
  ["mementor files both", "files both-"],
] as const;

/** A program that answers as `complete` does, by what stands before the word that is typed. */
const PROGRAM = `#!/bin/sh
[ "$1" = complete ] || exit 1
case "$*" in
*--mode*) case $4 in =*) printf 'hybrid\\t\\nkeyword\\t\\n' ;; *) printf -- '--mode=keyword\\t\\n' ;; esac ;;
*--project*|*-C*) printf ':directories\\t\\n' ;;
*branch*) printf 'feat/colour\\t\\nmain\\t\\n' ;;
*show*) printf '1240\\tWhy: [SQLite]\\n0894ab12\\tA session\\n:files\\t\\n' ;;
*files*) printf ':files\\t\\n' ;;
"complete two words thi"|"complete 'two words' thi") printf 'this\\t\\n' ;;
"complete sea") printf 'search\\tFind it: all\\nshow\\t\\n' ;;
esac
`;

/** How a shell starts without files of its user, and learns what the program is and how to complete it. */
const STARTS: readonly (readonly [string, string[], (script: string) => string])[] = [
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
    const place = { cwd: directory, homeDir: directory, now: new Date(0) };
    writeFileSync(script, (await runIn({ ...place, argv: ["completions", shell] })).stdout);
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

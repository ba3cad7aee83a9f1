import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let userFile: string;
beforeEach(async () => {
  sandbox = await Sandbox.create();
  userFile = join(sandbox.home, ".config/mementor/config.json");
  await enabled(sandbox);
});
afterEach(() => sandbox[Symbol.asyncDispose]());

async function config(args: string[], env: Record<string, string> = {}) {
  const { stdout, stderr, exitCode } = await sandbox.run(["config", ...args], { env });
  const short = (text: string) =>
    text.replaceAll(userFile, "<user>").replaceAll(sandbox.memory("config.json"), "<project>");
  return { stdout: short(stdout), stderr: short(stderr), exitCode };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const said = (stdout: string) => ({ stdout, stderr: "", exitCode: 0 });

test("one setting can be read, wherever it comes from", async () => {
  expect(await config(["get", "search.k"])).toEqual(said("10\n"));
  expect(await config(["get", "search.gate"], { MEMENTOR_SEARCH_GATE: "strict" })).toEqual(said("strict\n"));
  await config(["set", "exclude.paths", "dist/**"]);
  const { stdout } = await config(["get", "exclude.paths", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ key: "exclude.paths", value: ["dist/**"], origin: "<project>" });
  for (const [words, message] of [
    [["get"], "Name one setting."],
    [["get", "search.k", "search.gate"], "Name one setting."],
    [["get", "serch.k"], "Did you mean search.k?"],
  ] as const) {
    const { exitCode, stderr } = await config([...words]);
    expect([exitCode, stderr.includes(message)]).toEqual([64, true]);
  }
});

test("settings are set and taken back, and comments stay", async () => {
  const file = sandbox.memory("config.json");
  expect(await config(["set", "search.k", "5"])).toEqual(said("Set search.k to 5 in <project>\n"));
  expect(readFileSync(file, "utf8")).toBe('{\n  "search": {\n    "k": 5\n  }\n}\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  put(file, '{\n  // short answers\n  "search": { /* not ten */ "k": 5 },\n}\n');
  expect(await config(["set", "search.gate", "strict"])).toEqual(
    said('Set search.gate to "strict" in <project>\n'),
  );
  await config(["set", "recall.invite", "off"]);
  await config(["set", "exclude.paths", "dist/**", "*.snap"]);
  expect(readFileSync(file, "utf8")).toBe(
    `{
  // short answers
  "search": { /* not ten */ "k": 5, "gate": "strict" },
  "recall": {
    "invite": false
  },
  "exclude": {
    "paths": [
      "dist/**",
      "*.snap"
    ]
  },
}
`,
  );
  expect(await config(["set", "search.k", "5"])).toEqual(said("search.k is 5 already in <project>\n"));
  expect(await config(["unset", "search.gate"])).toEqual(
    said('Removed search.gate from <project>\nIt is "normal" now, from the defaults.\n'),
  );
  await config(["unset", "recall.invite"]);
  expect(await config(["unset", "recall.invite"])).toEqual(said("recall.invite is not set in <project>\n"));
  expect(readFileSync(file, "utf8")).toContain(
    '  // short answers\n  "search": { /* not ten */ "k": 5 },\n  "exclude": {',
  );
  expect(readFileSync(file, "utf8")).not.toContain("recall");
});

test("a list may be given as settings files have it", async () => {
  const set = 'Set exclude.paths to ["dist/**","*.snap"] in <project>\n';
  expect(await config(["set", "exclude.paths", '["dist/**", "*.snap"]'])).toEqual(said(set));
  const written = JSON.parse(readFileSync(sandbox.memory("config.json"), "utf8"));
  expect(written).toEqual({ exclude: { paths: ["dist/**", "*.snap"] } });
});

test("--user changes the user's file; what overrides it is named", async () => {
  expect(await config(["set", "budgets.prompt", "1000", "--user"])).toEqual(
    said("Set budgets.prompt to 1000 in <user>\n"),
  );
  await config(["set", "budgets.prompt", "1500"]);
  expect(await config(["set", "budgets.prompt", "1200", "--user"])).toEqual(
    said("Set budgets.prompt in <user>\nIt is 1500 now, from <project>.\n"),
  );
  expect(await config(["unset", "budgets.prompt"], { MEMENTOR_BUDGETS_PROMPT: "700" })).toEqual(
    said("Removed budgets.prompt from <project>\nIt is 700 now, from MEMENTOR_BUDGETS_PROMPT.\n"),
  );
  const { stdout } = await config(["set", "search.k", "3", "--user", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    ...{ action: "set", key: "search.k", file: "<user>", changed: true, value: 3, origin: "<user>" },
  });
});

test("what is wrong is said, and changes nothing", async () => {
  put(userFile, "{ broken");
  const wrong = [
    ["set", "search.q", "5"],
    ["set", "search", "5"],
    ["set", "zzz.yyy", "5"],
    ["set", "search.k", "many"],
    ["set", "search.k", "0"],
    ["set", "recall.prompt", "perhaps"],
    ["set", "search.gate", "shut"],
    ["set", "search.k"],
    ["set", "search.k", "1", "2"],
    ["set"],
    ["unset", "search.promptk"],
    ["put"],
    ["list", "search.k"],
    ["set", "search.k", "5", "--user"],
  ];
  const answers: Record<string, string> = {};
  for (const args of wrong) {
    const { exitCode, stdout, stderr } = await config(args);
    expect([args, exitCode === 0, stdout]).toEqual([args, false, ""]);
    answers[args.join(" ")] = stderr;
  }
  expect(answers).toMatchInlineSnapshot(`
    {
      "list search.k": 
    "mementor: "mementor config list" takes no setting.
      To see one: mementor config get search.k
    "
    ,
      "put": 
    "mementor: <action> must be list, get, set or unset, not "put".
      Run "mementor config --help" for its arguments and options.
    "
    ,
      "set": 
    "mementor: Name the setting to set.
      For example: mementor config set search.k 5
    "
    ,
      "set recall.prompt perhaps": 
    "mementor: recall.prompt must be true or false, not "perhaps".
      Nothing was changed.
    "
    ,
      "set search 5": 
    "mementor: There is no setting "search".
      Did you mean one of search.k, search.promptK, search.gate?
    "
    ,
      "set search.gate shut": 
    "mementor: search.gate must be off, loose, normal or strict, not "shut".
      Nothing was changed.
    "
    ,
      "set search.k": 
    "mementor: search.k takes one value.
      For example: mementor config set search.k 10
    "
    ,
      "set search.k 0": 
    "mementor: search.k must be a whole number from 1 to 100, not 0.
      Nothing was changed.
    "
    ,
      "set search.k 1 2": 
    "mementor: search.k takes one value.
      For example: mementor config set search.k 10
    "
    ,
      "set search.k 5 --user": 
    "mementor: <user> cannot be edited: there is a word without quotes in line 1, column 3.
      Correct the file and run the command again; nothing was changed.
    "
    ,
      "set search.k many": 
    "mementor: search.k must be a whole number from 1 to 100, not "many".
      Nothing was changed.
    "
    ,
      "set search.q 5": 
    "mementor: There is no setting "search.q".
      Did you mean search.k? Run "mementor config" to list all settings.
    "
    ,
      "set zzz.yyy 5": 
    "mementor: There is no setting "zzz.yyy".
      Run "mementor config" to list all settings.
    "
    ,
      "unset search.promptk": 
    "mementor: There is no setting "search.promptk".
      Did you mean search.promptK? Run "mementor config" to list all settings.
    "
    ,
    }
  `);
  expect(existsSync(sandbox.memory("config.json"))).toBe(false);
  expect(readFileSync(userFile, "utf8")).toBe("{ broken");
  const elsewhere = join(sandbox.root, "elsewhere");
  mkdirSync(elsewhere);
  const { stderr } = await sandbox.run(["config", "set", "search.k", "5"], { cwd: elsewhere });
  expect(stderr).toContain('add "--user" to change the settings of all your projects');
});

test("the repository's own file is never written, and gains no trust", async () => {
  const tree = join(sandbox.project, ".mementor/config.json");
  put(tree, '{ "search": { "k": 9 } }');
  await config(["set", "search.k", "5"]);
  expect(readFileSync(tree, "utf8")).toBe('{ "search": { "k": 9 } }');
  const { settings } = JSON.parse((await config(["--json"])).stdout);
  expect(settings.find((each: { key: string }) => each.key === "search.k")).toMatchObject({
    ...{ value: 5, origin: "<project>" },
  });
});

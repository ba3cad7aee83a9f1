import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { configEntries, exclusionProblem, loadConfig } from "../../src/config/config.ts";
import { loadConfigQuickly } from "../../src/config/load.ts";
import { ALL_SETTINGS, DEFAULTS } from "../../src/config/settings.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-config-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function load(user: string | null, project: string | null = null, env: Record<string, string> = {}) {
  const userFile = join(dir, "user.json");
  const projectFile = join(dir, "project.json");
  if (user !== null) writeFileSync(userFile, user);
  if (project !== null) writeFileSync(projectFile, project);
  return loadConfig({ userFile, projectFile, env });
}

describe("loadConfig", () => {
  test("gives the defaults where nothing is set", () => {
    const { config, origins, problems } = load(null);
    expect([config as object, new Set(Object.values(origins)), problems]).toEqual([
      DEFAULTS,
      new Set(["default"]),
      [],
    ]);
  });

  test.each([
    ["recall.prompt", "false", "MEMENTOR_RECALL_PROMPT", "true"],
    ["recall.file", "false", "MEMENTOR_RECALL_FILE", "on"],
    ["recall.invite", "false", "MEMENTOR_RECALL_INVITE", "yes"],
    ["search.gate", '"strict"', "MEMENTOR_SEARCH_GATE", "off"],
    ["search.gate", '"normal"', "MEMENTOR_SEARCH_GATE", "loose"],
    ["search.promptK", "2", "MEMENTOR_SEARCH_PROMPT_K", "3"],
    ["budgets.prompt", "900", "MEMENTOR_BUDGETS_PROMPT", "1000"],
  ])("a variable has no more told than a file says: %s is %s", (key, own, variable, value) => {
    const [group = "", name = ""] = key.split(".");
    const file = `{"${group}": {"${name}": ${own}}}`;
    const { origins, problems } = load(null, file, { [variable]: value });
    expect([origins[key], problems]).toEqual([
      join(dir, "project.json"),
      [{ where: variable, key, message: expect.stringContaining("which tells less and counts") }],
    ]);
  });

  test("a variable has less told, and more where no file says anything", () => {
    const less = load('{"recall": {"prompt": true}, "search": {"gate": "loose"}}', null, {
      MEMENTOR_RECALL_PROMPT: "off",
      MEMENTOR_SEARCH_GATE: "strict",
    });
    expect([less.config.recall.prompt, less.config.search.gate, less.problems]).toEqual([
      false,
      "strict",
      [],
    ]);
    rmSync(join(dir, "user.json"));
    expect(load(null, null, { MEMENTOR_SEARCH_GATE: "off" }).config.search.gate).toBe("off");
  });

  test("lets the later source win and reports the origin of each value", () => {
    const { config, origins, problems } = load(
      '\ufeff{ // mine\n "recall": {"prompt": false, "file": false}, "search": {"k": 4,},\n}',
      '{"recall": {"file": true}, "search": {"k": 5}}',
      {
        MEMENTOR_SEARCH_K: "6",
        MEMENTOR_EMBEDDING_SAVE_ENERGY: "off",
        MEMENTOR_EXCLUDE_PATHS: "a/**, *.env",
      },
    );
    expect(problems).toEqual([]);
    expect(config as object).toEqual({
      ...DEFAULTS,
      recall: { ...DEFAULTS.recall, prompt: false },
      search: { ...DEFAULTS.search, k: 6 },
      exclude: { paths: ["a/**", "*.env"], projects: [] },
      embedding: { ...DEFAULTS.embedding, saveEnergy: false },
    });
    const set = Object.entries(origins).filter(([, origin]) => origin !== "default");
    expect(Object.fromEntries(set)).toEqual({
      "recall.prompt": join(dir, "user.json"),
      "recall.file": join(dir, "project.json"),
      "search.k": "MEMENTOR_SEARCH_K",
      "exclude.paths": "MEMENTOR_EXCLUDE_PATHS",
      "embedding.saveEnergy": "MEMENTOR_EMBEDDING_SAVE_ENERGY",
    });
  });

  test("a variable only adds to what the user left out: a repository can set it for its agent", () => {
    const { config, origins } = load(
      '{"exclude": {"paths": ["private/**"], "projects": ["~/diary"]}}',
      null,
      {
        MEMENTOR_EXCLUDE_PATHS: "dist/**",
        MEMENTOR_EXCLUDE_PROJECTS: "nowhere",
      },
    );
    expect(config.exclude).toEqual({
      paths: ["private/**", "dist/**"],
      projects: ["~/diary", "nowhere"],
    });
    expect(origins["exclude.paths"]).toBe("MEMENTOR_EXCLUDE_PATHS");
  });

  test("of a repository's file no more is read than each hook has time for", () => {
    const treeFile = join(dir, "tree.json");
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1]));
    writeFileSync(treeFile, JSON.stringify({ exclude: { paths: ["private/**"], ...many } }));
    const loaded = loadConfig({ treeFile, env: {} });
    expect(loaded.problems).toEqual([{ where: treeFile, key: "", message: "is larger than 64 KB" }]);
    expect(exclusionProblem(loaded)).not.toBeNull();
  });

  const filesOnly = ALL_SETTINGS.filter((leaf) => leaf.filesOnly).map(({ key }) => key);

  test("whom the user trusts, and what removes turns or slows prompts, stands in the user's own files", () => {
    expect(filesOnly).toEqual(
      expect.arrayContaining([
        "recall.agentNotes",
        "recall.related",
        "team.servers",
        "team.trust",
        "team.recall",
        "team.keepDays",
        "team.keepTurns",
        "embedding.wasmInHooks",
      ]),
    );
  });

  test.each(filesOnly)("no variable sets %s", (key) => {
    const leaf = ALL_SETTINGS.find((each) => each.key === key);
    const { config, problems } = load('{"recall": {"agentNotes": false}}', null, {
      [leaf?.variable ?? ""]: key === "recall.agentNotes" ? "on" : "all",
    });
    expect(config as object).toEqual({ ...DEFAULTS, recall: { ...DEFAULTS.recall, agentNotes: false } });
    expect(problems).toEqual([
      { where: leaf?.variable ?? "", key, message: "can only be set in your own files" },
    ]);
  });

  test("names file and key of a bad value and falls back to the earlier one", () => {
    const { config, problems } = load(
      '{"search": {"k": 4}}',
      '{"search": {"k": 0, "gate": "maybe"}, "log": 3}',
      {
        MEMENTOR_SEARCH_K: "many",
        MEMENTOR_RECALL_PROMPT: "perhaps",
      },
    );
    expect(config as object).toEqual({ ...DEFAULTS, search: { ...DEFAULTS.search, k: 4 } });
    expect(problems.map(({ where, key }) => [where.replace(`${dir}/`, ""), key])).toEqual([
      ["project.json", "log"],
      ["MEMENTOR_RECALL_PROMPT", "recall.prompt"],
      ["project.json", "search.k"],
      ["MEMENTOR_SEARCH_K", "search.k"],
      ["project.json", "search.gate"],
    ]);
  });

  test("says of a variable what was written in it", () => {
    const { problems } = load(null, null, { MEMENTOR_SEARCH_K: "zz" });
    expect(problems.map(({ message }) => message)).toEqual([
      'must be a whole number from 1 to 100, not "zz"',
    ]);
  });

  test.each([
    ['{"search": {"l": 1}, "$schema": "x", "hook": true}', ["search.l", "hook"]],
    ['{"a": 1\n "b": 2}', [""]],
    ["[]", [""]],
    ["", []],
  ])("reports what it cannot use in %j", (text, keys) => {
    const { config, problems } = load(text);
    expect(config as object).toEqual(DEFAULTS);
    expect(problems.map(({ key }) => key)).toEqual(keys);
  });

  test("reports the line where a file does not parse", () => {
    expect(load('{\n "a": ,\n}').problems).toEqual([
      { where: join(dir, "user.json"), key: "", message: "a value is missing in line 2, column 7" },
    ]);
  });

  test.each([
    ['{"recall": {"prompt": "1"}}', 'recall.prompt must be true or false, not "1"'],
    ['{"search": {"k": 0.5}}', "search.k must be a whole number from 1 to 100, not 0.5"],
    ['{"search": {"gate": "maybe"}}', 'search.gate must be off, loose, normal or strict, not "maybe"'],
    [
      '{"embedding": {"model": ""}}',
      'embedding.model must be the id of a model that "mementor model list" shows',
    ],
    [
      '{"exclude": {"paths": "a"}}',
      'exclude.paths must be a list of patterns, such as ["secrets/**"], not "a"',
    ],
  ])("says of %s what the value must be and what it is", (text, told) => {
    expect(load(text).problems.map(({ key, message }) => `${key} ${message}`)).toEqual([told]);
  });

  test("says of every setting with any value what it must be, in words", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...configEntries(load(null))), (value, { key }) => {
        const [group = "", name = ""] = key.split(".");
        for (const { message } of load(JSON.stringify({ [group]: { [name]: value } })).problems)
          expect(message).toMatch(/^must be /);
      }),
    );
  });

  test.each([
    ['{"a": 1', 'a "}" is missing in line 1, column 8'],
    ["{a: 1}", "there is a word without quotes in line 1, column 2"],
    ['{"a": "1}', "a text has no closing quote in line 1, column 7"],
    ['{"a" 1}', 'a ":" is missing in line 1, column 6'],
    ['{"a": 1} 2', "there is text after the end in line 1, column 10"],
  ])("says of the file %s what is wrong, and where", (text, told) => {
    expect(load(text).problems.map(({ message }) => message)).toEqual([told]);
  });

  test("takes the others where a file has settings of an earlier version", () => {
    const { config, problems } = load(
      '{"budgets": {"file": 500, "prompt": 700}, "vectors": {"backend": "scan"}, "recall": {"compact": true}}',
    );
    expect(config.budgets).toEqual({ prompt: 700 });
    expect(problems.map(({ key }) => key)).toEqual(["budgets.file", "vectors", "recall.compact"]);
  });

  test("survives a directory in a file's place", () => {
    expect(loadConfig({ userFile: dir, env: {} }).problems).toHaveLength(1);
  });

  test("survives any JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("recall", "search", "exclude", "log"), (json, group) => {
        for (const text of [json, `{"${group}": ${json}}`, `{"search": {"k": ${json}}}`])
          expect(Object.keys(load(text).config)).toEqual(Object.keys(DEFAULTS));
      }),
    );
  });
});

test("configEntries lists every setting", () => {
  const entries = configEntries(load(null, '{"search": {"gate": "strict"}}'));
  expect(entries.map(({ key }) => key)).toEqual(ALL_SETTINGS.map(({ key }) => key));
  expect(entries.find(({ key }) => key === "search.gate")).toEqual({
    key: "search.gate",
    value: "strict",
    origin: join(dir, "project.json"),
    variable: "MEMENTOR_SEARCH_GATE",
    meaning: "how surely a turn must be worth telling; strict tells less",
    allowed: "off, loose, normal or strict",
    default: "normal",
  });
});

test("every setting says what it does and what it may be", () => {
  const entries = configEntries(load(null));
  expect(entries.filter(({ meaning, allowed }) => meaning === "" || allowed === "")).toEqual([]);
  expect(Object.fromEntries(entries.map(({ key, allowed }) => [key, allowed]))).toMatchObject({
    "recall.prompt": "true or false",
    "budgets.prompt": "a whole number from 100 to 9500",
    "exclude.paths": 'a list of patterns, such as ["secrets/**"]',
    "embedding.model": 'the id of a model that "mementor model list" shows',
    "team.trust": '"all", "none" or a list of members, such as ["ada", "grace"]',
  });
});

test("loadConfigQuickly gives what loadConfig gives", async () => {
  const user = join(dir, "user.json");
  const sources = (env: Record<string, string>, userFile = user) => ({
    userFile,
    projectFile: join(dir, "none"),
    env,
  });
  expect(await loadConfigQuickly(sources({ MEMENTOR_OTHER: "x" }))).toEqual(loadConfig(sources({})));
  expect((await loadConfigQuickly(sources({ MEMENTOR_SEARCH_K: "4" }))).config.search.k).toBe(4);
  writeFileSync(user, '{"log": {"level": "debug"}}');
  expect(await loadConfigQuickly(sources({}))).toEqual(loadConfig(sources({})));
  expect((await loadConfigQuickly(sources({}))).config.log.level).toBe("debug");
});

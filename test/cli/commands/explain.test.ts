import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../../src/constants.ts";
import { runHook } from "../../../src/hooks/run.ts";
import { batch, openStore, source, tempDir, turn } from "../../store/builders.ts";
import { hostIn, runIn } from "../../support/host.ts";

const NOW = new Date("2026-06-12T10:00:00Z");
let directory: ReturnType<typeof tempDir>;
const explained = async (query: string, ...options: string[]) => {
  const { stdout } = await runIn({
    argv: [
      "search",
      query,
      "--explain",
      "--mode",
      "keyword",
      ...options,
      "--db",
      join(directory.path, "m.db"),
    ],
    cwd: directory.path,
    homeDir: directory.path,
    now: NOW,
  });
  return stdout.slice(stdout.indexOf("Why these"));
};

beforeAll(async () => {
  directory = tempDir();
  mkdirSync(join(directory.path, ".git"), { recursive: true });
  const store = await openStore(join(directory.path, "m.db"), { model: BUILT_IN_MODEL });
  const texts = [
    "[User] Why does the valve of the kettle leak?\n\n[Assistant] The gasket of the valve is worn, so replace the gasket.",
    "[User] Which gasket fits the lid?\n\n[Assistant] A gasket of silicone.",
    "[User] Paint the handle.\n\n[Assistant] Painted in red, and the valve stays bare.",
  ];
  await store.ingest.write(
    batch(
      texts.map((text, at) => turn(at * 2, text, { createdAt: "2026-01-01T10:00:00Z" })),
      { source: source({ path: "/k.jsonl" }) },
    ),
  );
  await store.close();
});
afterAll(() => directory[Symbol.dispose]());

test("the words that decided are named", async () => {
  expect(await explained("the gasket of the valve")).toContain("Decided by these words, which turn 1 has: ");
});

test("names are names, and pairs of words are not", async () => {
  const text = await explained("the worn gasket of valve_seat in src/valve.ts, 4711");
  const [names = ""] = /Taken as names: .*\./.exec(text) ?? [];
  expect(names).toContain("4711");
  expect(names).toContain("src/valve.ts");
  expect(names).not.toMatch(/worn gasket|of valve|in src/);
});

test("the table says how sure each turn is, which decides the order before the score", async () => {
  const text = await explained("the gasket of the valve");
  expect(text).toContain("The surest stand first, and of equally sure ones those with the higher score;");
  const rows = [...text.matchAll(/^ +\d+ +(strong|likely|weak) +(\d+\.\d+)/gm)];
  const rank = (sure = "") => ["strong", "likely", "weak"].indexOf(sure);
  const order = rows.map(([, sure, score]): [number, number] => [rank(sure), -Number(score)]);
  expect(order.length).toBeGreaterThan(1);
  expect(order).toEqual(order.toSorted(([a, x], [b, y]) => a - b || x - y));
});

test("what was left out for the limit says so", async () => {
  expect(await explained("the gasket of the valve", "-k", "1")).toContain("after the first 1 (-k)");
});

test("the turn that the prompt hook would weigh is named as such, with its title", async () => {
  const text = await explained("Which gasket fits the lid of the kettle?", "-k", "1");
  expect(text.replace(/\s+/g, " ")).toMatch(
    /of all turns, the prompt hook would weigh turn 2 \("Which gasket fits the lid\?"\), which is worth telling with a probability of [01]\.\d\d, and 0\.\d\d is needed/,
  );
});

test("the turns are named that the text of the prompt hook holds, and those that it has no room for", async () => {
  using place = tempDir();
  const here = {
    cwd: join(place.path, "project"),
    homeDir: join(place.path, "home"),
    env: { NO_PAGER: "1" },
    now: NOW,
  };
  mkdirSync(here.homeDir);
  mkdirSync(join(here.cwd, ".git"), { recursive: true });
  writeFileSync(join(here.cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
  const run = (...argv: string[]) => runIn({ argv, ...here });
  await run("enable", "--no-history");
  const cause = (place: string) =>
    `The turbine hose of the ${place} bursts at night because the pump of the ${place} pushes the turbine hose with far too much pressure while nobody draws any water from the turbine hose of the ${place}, as the meter of the ${place} shows.`;
  for (const each of ["garden", "kitchen", "cellar"]) await run("note", cause(each));
  await run("config", "set", "budgets.prompt", "700");
  const prompt = "Why does the turbine hose burst at night, is it the pressure of the pump in the garden?";
  const { host } = hostIn({ argv: ["hook", "user-prompt-submit"], ...here });
  const input = Buffer.from(JSON.stringify({ session_id: "s", cwd: here.cwd, prompt }));
  await runHook({ ...host, stdin: { ...host.stdin, read: async () => input } });
  const told = await run("told", "1");
  const held = [...told.stdout.matchAll(/--show (\d+)/g)].map(([, id]) => Number(id));
  const search = ["search", prompt, "--explain", "--mode", "keyword"];
  const { hook } = JSON.parse((await run(...search, "--json")).stdout).explain;
  expect({ held, turns: hook.turns, room: hook.without_room.toSorted() }).toEqual({
    ...{ held: [1], turns: [1], room: [2, 3] },
  });
  const text = (await run(...search)).stdout;
  expect(text).toContain("it would get 1 turn (1): ");
  expect(text).toMatch(/The text has no room for turns (?:2, 3|3, 2)\./);
});

test("why a turn must be surer than usual is said", async () => {
  expect(await explained("commit the gasket of the valve, then push and open a pull request")).toContain(
    " is needed (more than usual: most words of the prompt are those of chores, such as commits and merges), ",
  );
});

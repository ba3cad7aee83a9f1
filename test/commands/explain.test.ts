import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import { batch, openStore, source, tempDir, turn } from "../store/builders.ts";
import { runIn } from "../support/host.ts";

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
    now: new Date("2026-06-12T10:00:00Z"),
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

test("what was left out for the limit says so", async () => {
  expect(await explained("the gasket of the valve", "-k", "1")).toContain("after the first 1 (-k)");
});

test("the turn that the prompt hook would weigh is named as such, with its title", async () => {
  const text = await explained("Which gasket fits the lid of the kettle?", "-k", "1");
  expect(text.replace(/\s+/g, " ")).toMatch(
    /of all turns, the prompt hook would weigh turn 2 \("Which gasket fits the lid\?"\), which is worth telling with a probability of [01]\.\d\d, and 0\.\d\d is needed/,
  );
});

test("what is said of the score names no column, since some are left out", async () => {
  expect(await explained("the gasket of the valve")).toContain(
    "the score is made of meaning, and of words and names in common.",
  );
});

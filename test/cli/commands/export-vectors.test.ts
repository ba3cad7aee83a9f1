import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../../src/constants.ts";
import { batch, openStore, source, tempDir, turn, vectorOf } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

let directory: ReturnType<typeof tempDir>;
const at = (...names: string[]) => join(directory.path, ...names);
const mementor = async (...argv: string[]) =>
  runIn({ argv, cwd: at("kettle"), homeDir: at("home"), now: new Date("2026-06-12T10:00:00Z") });
const json = async (...argv: string[]) => JSON.parse((await mementor(...argv, "--json")).stdout);

beforeEach(async () => {
  directory = tempDir();
  mkdirSync(at("kettle", ".git"), { recursive: true });
  mkdirSync(at("home"));
  const store = await openStore(at("m.db"), { model: BUILT_IN_MODEL });
  const text = "[User] Why does the valve of the kettle leak?";
  await store.ingest.write(
    batch([turn(0, text, { promptUuid: "p-0", createdAt: "2026-01-01T10:00:00Z" })], {
      source: source({ path: "/k.jsonl" }),
    }),
  );
  const chunks = await store.ingest.pendingChunks(10);
  const long = (content: string) => {
    const vector = new Float32Array(BUILT_IN_MODEL.dimensions);
    vector.set(vectorOf(content));
    return vector;
  };
  await store.ingest.saveVectors(chunks.map(({ chunkId, content }) => ({ chunkId, vector: long(content) })));
  await store.close();
});
afterEach(() => directory[Symbol.dispose]());

test("an export with vectors is imported with them, and one without is not", async () => {
  await mementor("export", "--vectors", "-o", "with.jsonl", "--db", at("m.db"));
  await mementor("export", "-o", "without.jsonl", "--db", at("m.db"));
  const chunksOf = async (name: string) =>
    (await json("import", `${name}.jsonl`, "--text-only", "--db", at(`${name}.db`))).chunks;
  expect(await chunksOf("with")).toMatchObject({ written: 1, brought: 1, pending: 0 });
  expect(await chunksOf("without")).toMatchObject({ written: 1, brought: 0, pending: 1 });
  expect(readFileSync(at("kettle", "without.jsonl"), "utf8")).toContain('"version":2');
});

test("what matches nothing is said", async () => {
  const none = await mementor("export", "--since", "2030", "-o", "none.jsonl", "--db", at("m.db"));
  expect(none.stdout).toMatch(/^Wrote 0 turns of 0 sessions to .*\. Nothing in this memory matches\.\n$/);
});

test("vectors of another model, of another text or of another length are left out", async () => {
  await mementor("export", "--vectors", "-o", "with.jsonl", "--db", at("m.db"));
  const text = readFileSync(at("kettle", "with.jsonl"), "utf8");
  const changed = [
    text.replace(/"model":"[^"]+","chunks"/, '"model":"other","chunks"'),
    text.replace(/"hash":"[0-9a-f]{8}/, '"hash":"00000000'),
    text.replace(/"vector":"[^"]+"/, '"vector":"AAAA"'),
  ];
  for (const [number, bad] of changed.entries()) {
    writeFileSync(at("kettle", "bad.jsonl"), bad);
    const { chunks } = await json("import", "bad.jsonl", "--text-only", "--db", at(`${number}.db`));
    expect(chunks).toMatchObject({ brought: 0, pending: 1 });
  }
});

test("an import embeds in the background, and says so", async () => {
  await mementor("enable", "--no-history");
  await mementor("export", "-o", "memory.jsonl", "--db", at("m.db"));
  const { stdout } = await mementor("import", "memory.jsonl");
  expect(stdout).toContain(
    "1 written, 0 embedded, the others in the background: until then, words find them",
  );
});

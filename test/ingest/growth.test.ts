import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Glob } from "bun";
import fc from "fast-check";
import { tempDir } from "../store/builders.ts";
import { fcOptions } from "../support/fast-check.ts";
import { readAll } from "../support/read-turns.ts";
import { transcript } from "../support/transcript-arbitrary.ts";
import { type Contents, contentsOf } from "./contents.ts";
import { TestMemory } from "./memory.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/transcripts");
/** Directories of transcripts to grow beside our own, separated by colons; nothing is needed. */
const MORE = (process.env.MEMENTOR_TEST_CORPORA ?? "").split(":").filter((path) => path !== "");

const NAME = "5e550000-0000-4000-8000-000000000001.jsonl";

const filesIn = (directory: string) =>
  [...new Glob("**/*.jsonl").scanSync({ cwd: directory, absolute: true })].sort();

const FIXTURE_FILES = filesIn(FIXTURES);

/** What an ingest of a transcript that was always as it is now remembers. */
async function atOnce(path: string): Promise<Contents> {
  await using memory = await TestMemory.create();
  await memory.ingest([path]);
  return contentsOf(memory.file);
}

/** Lets a transcript grow, ingests it at every cut, and compares with an ingest in one go. */
async function grows(bytes: Buffer, cuts: readonly number[], name: string): Promise<void> {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, name);
  for (const cut of [...cuts, bytes.length]) {
    writeFileSync(path, bytes.subarray(0, cut));
    await memory.ingest([path]);
    expect(contentsOf(memory.file)).toEqual(await atOnce(path));
  }
}

/** False when two turns hold entries of one uuid: then the one that was stored first has it. */
async function hasEachEntryOnce(bytes: Buffer): Promise<boolean> {
  using directory = tempDir();
  const path = join(directory.path, NAME);
  writeFileSync(path, bytes);
  const uuids = (await readAll(path)).turns.flatMap(({ entryUuids }) => entryUuids);
  return new Set(uuids).size === uuids.length;
}

const cutsOf = (length: number, most: number) =>
  fc
    .array(fc.integer({ min: 0, max: length }), { maxLength: most })
    .map((cuts) => cuts.sort((a, b) => a - b));

test("after every growth the database is as if the transcript had been read in one go", async () => {
  const cases = transcript.chain((text) => {
    const bytes = Buffer.from(text);
    return fc.tuple(fc.constant(bytes), cutsOf(bytes.length, 3));
  });
  await fc.assert(
    fc.asyncProperty(cases, async ([bytes, cuts]) => {
      fc.pre(await hasEachEntryOnce(bytes));
      await grows(bytes, cuts, NAME);
    }),
    // A case takes several ingests; a turn that loses its id showed within 35 cases.
    fcOptions(1 / 10),
  );
}, 3_600_000);

test.each(FIXTURE_FILES.map((path) => [basename(path), path]))(
  "%s grows",
  async (name, path) => {
    const bytes = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(cutsOf(bytes.length, 2), (cuts) => grows(bytes, cuts, name)),
      fcOptions(1 / 5 / FIXTURE_FILES.length),
    );
  },
  600_000,
);

test.skipIf(MORE.length === 0).each(MORE.flatMap(filesIn).map((path) => [path]))(
  "%s grows",
  async (path) => {
    const bytes = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(cutsOf(bytes.length, 4), (cuts) => grows(bytes, cuts, basename(path))),
      { numRuns: Number(process.env.MEMENTOR_TEST_CORPORA_RUNS ?? 1) },
    );
  },
  600_000,
);

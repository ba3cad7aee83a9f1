import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { fakeHub, REVISION } from "../support/fake-hub.ts";
import { CERTIFICATES } from "../support/postgres/tls-server.ts";
import { Sandbox } from "../support/sandbox.ts";
import { writeTinyModel } from "../support/tiny-model.ts";
import { until } from "../support/wait.ts";
import { ingestSample, SAMPLE } from "./sample.ts";

const SCHEMA = join(import.meta.dir, "..", "..", "fixtures", "schemas", "model.schema.json");
const BUILT_IN = "bge-small-en-v1.5-int8";
const QUESTION = "why did we choose sqlite for bookmarks";

let sandbox: Sandbox;
let chunks: number;
let isValid: (value: unknown) => boolean;

beforeAll(async () => {
  isValid = new Ajv2020().compile(await Bun.file(SCHEMA).json());
  sandbox = await Sandbox.create();
  await writeTinyModel(join(sandbox.root, "models", "tiny"));
  await ingestSample(sandbox);
  chunks = (await model("list")).models[0].vectors;
});

afterAll(() => sandbox[Symbol.asyncDispose]());

async function model(...args: string[]) {
  const { stdout, stderr, exitCode } = await sandbox.run(["model", ...args, "--json"]);
  expect({ stderr: stderr.replace(/^Embedding .*\n/, ""), exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const value = JSON.parse(stdout);
  expect(isValid(value)).toBe(true);
  return value;
}

const refused = async (args: string[], env: Record<string, string> = {}) => {
  const { stdout, stderr, exitCode } = await sandbox.run(["model", ...args], { env });
  expect(stdout).toBe("");
  return { stderr, exitCode };
};

const states = async () =>
  (await model("list")).models.map(
    (each: { id: string; state: string; vectors: number; pending: number }) => [
      each.id,
      each.state,
      each.vectors,
      each.pending,
    ],
  );

const search = async () => {
  const { stdout, stderr } = await sandbox.run(["search", QUESTION, "--mode", "vector", "-k", "3", "--json"]);
  return { stderr, results: JSON.parse(stdout).results };
};

const library = () => join(sandbox.home, ".local", "share", "mementor", "models");

describe("another model, on the compiled binary", () => {
  let id: string;

  test("is imported, and nothing else changes", async () => {
    const { model: imported, imported: isNew } = await model("import", "../models/tiny");
    id = imported.id;
    expect({ ...imported, isNew }).toEqual({
      id: expect.stringMatching(/^tiny-[0-9a-f]{8}$/),
      state: "unused",
      built_in: false,
      available: true,
      source: join(sandbox.root, "models", "tiny"),
      dimensions: 16,
      max_tokens: 64,
      pooling: "mean",
      query_prefix: "",
      document_prefix: "",
      bytes: expect.any(Number),
      vectors: null,
      pending: null,
      isNew: true,
    });
    expect((await model("import", "../models/tiny")).imported).toBe(false);
    expect(await states()).toEqual([
      [BUILT_IN, "active", chunks, 0],
      [id, "unused", null, null],
    ]);
  });

  test("takes over, is searched with, and gives way to the first one again", async () => {
    const before = await search();
    expect(await model("use", "tiny")).toMatchObject({ outcome: "switched", pending: 0 });
    expect(await states()).toEqual([
      [BUILT_IN, "kept", chunks, 0],
      [id, "active", chunks, 0],
    ]);
    const after = await search();
    expect(after.stderr).toBe("");
    expect(after.results).not.toEqual(before.results);
    expect((await sandbox.run(["doctor"])).stdout).toContain("was embedded, stored and found again");
    expect(await model("use", BUILT_IN)).toMatchObject({ outcome: "switched", embedded: 0 });
    expect(await search()).toEqual(before);
    expect(await model("use", BUILT_IN)).toMatchObject({ outcome: "unchanged" });
  });

  test("its files gone, keywords answer alone and the log says why", async () => {
    await model("use", id);
    rmSync(library(), { recursive: true });
    const { stdout, stderr, exitCode } = await sandbox.run(["search", QUESTION, "-k", "1", "--json"]);
    expect(stderr).toBe(`Searched by words only: the model ${id} is not on this machine.\n`);
    expect({ exitCode, found: JSON.parse(stdout).results[0].turn_id }).toEqual({ exitCode: 0, found: 1 });
    expect((await sandbox.run(["told", "--log", "--level", "warn"])).stdout).toContain(
      `the model ${id} is not on`,
    );
    expect(await states()).toEqual([
      [BUILT_IN, "kept", chunks, 0],
      [id, "active", chunks, 0],
    ]);
    const { stderr: refusal, exitCode: failed } = await refused(["remove", id]);
    expect({ refusal, failed }).toEqual({
      refusal: expect.stringContaining("This memory uses"),
      failed: 1,
    });
    expect(await model("use", BUILT_IN)).toMatchObject({ outcome: "switched" });
    expect(await model("remove", id)).toEqual({ id, vectors: chunks, files: false });
    expect(await states()).toEqual([[BUILT_IN, "active", chunks, 0]]);
  });

  test("killed in the middle, it goes on with the next ingest; until then the old one serves", async () => {
    await writeTinyModel(join(sandbox.root, "models", "slow"), { seed: 3 });
    const before = await search();
    const database = sandbox.memory("mementor.db");
    const child = sandbox.start(["model", "use", "../models/slow"]);
    await until("the model is on its way", async () => child.exitCode !== null || isOnItsWay(database));
    child.kill("SIGKILL");
    await child.exited;
    const [, [slow, state]] = await states();
    if (state === "next") {
      expect(await search()).toEqual(before);
      expect((await sandbox.run(["search", QUESTION])).stdout).toContain(
        "The memory changes to the model slow-",
      );
      expect((await sandbox.run(["status"])).stdout).toContain("changing to the model slow-");
    } else expect(state).toBe("active");
    expect((await sandbox.run(["ingest", SAMPLE])).exitCode).toBe(0);
    expect((await states()).at(1)).toEqual([slow, "active", chunks, 0]);
    await model("use", BUILT_IN);
  });
});

test("in the background, a change of model is finished by ingest --now; hooks go by words then", async () => {
  await writeTinyModel(join(sandbox.root, "models", "calm"), { seed: 4 });
  const started = await model("use", "../models/calm", "--background");
  expect(started.outcome).toBe("started");
  expect((await sandbox.run(["ingest", "--now"])).exitCode).toBe(0);
  await until("the model serves", async () =>
    (await states()).some(([id, state]: unknown[]) => id === started.model.id && state === "active"),
  );
  expect((await sandbox.run(["status"])).stdout).toContain("hooks go by words");
  await model("use", BUILT_IN);
  expect((await sandbox.run(["status"])).stdout).not.toContain("hooks go by words");
});

/** Read from outside, so that the test sees the model the moment the database knows of it. */
async function isOnItsWay(database: string): Promise<boolean> {
  const { Database } = await import("bun:sqlite");
  const db = new Database(database, { readonly: true });
  try {
    return db.query("SELECT 1 FROM meta WHERE key = 'next_model'").get() !== null;
  } finally {
    db.close();
  }
}

describe("a model of the hub", () => {
  test("is downloaded when the user says so, from one revision, and then used", async () => {
    const source = await writeTinyModel(join(sandbox.root, "hub"), { seed: 9 });
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => fakeHub("acme/far", source)(url),
    });
    const env = { HF_ENDPOINT: `http://127.0.0.1:${server.port}/` };
    expect(await refused(["use", "acme/far"], env)).toEqual({
      exitCode: 64,
      stderr: expect.stringContaining("Nothing was changed: there is no terminal to confirm on."),
    });
    const { exitCode, stdout } = await sandbox.run(["model", "use", "acme/far", "--yes", "--json"], { env });
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      outcome: "switched",
      model: { state: "active", source: `acme/far@${REVISION.slice(0, 8)}` },
    });
    server.stop(true);
    await model("use", BUILT_IN);
    // Once here, it needs no hub.
    expect(await model("use", "acme/far")).toMatchObject({ outcome: "switched", embedded: 0 });
    await model("use", BUILT_IN);
  });

  test("that cannot be reached is an error that says what to do, and leaves nothing", async () => {
    const before = existsSync(library()) ? readdirSync(library()) : [];
    const env = { HF_ENDPOINT: "http://127.0.0.1:9" };
    expect(await refused(["use", "acme/nowhere", "--yes"], env)).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/Cannot reach http:\/\/127\.0\.0\.1:9: [\s\S]*Without a network/),
    });
    expect(readdirSync(library())).toEqual(before);
  });
});

describe("a model that a clone brings", () => {
  const MULTILINGUAL_FOLDER = "multilingual-e5-small-q4";
  const inLibrary = () => (existsSync(library()) ? readdirSync(library()) : []);

  test.each(["multilingual", MULTILINGUAL_FOLDER, "brought"])(
    "is nothing that the name %p means",
    async (folder) => {
      const before = inLibrary();
      const directory = await writeTinyModel(join(sandbox.project, folder), { seed: 5 });
      try {
        for (const name of [folder, "multilingual"])
          expect(await refused(["use", name])).toEqual({
            exitCode: 1,
            stderr: expect.stringMatching(/There is no (?:model|mementor-model-multilingual)/),
          });
        expect(inLibrary()).toEqual(before);
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
  );

  test("and another model in the place of the one for many languages are refused", async () => {
    const before = inLibrary();
    const release = join(sandbox.root, "release");
    await writeTinyModel(join(release, MULTILINGUAL_FOLDER), { seed: 6 });
    expect(await refused(["use", "multilingual"], { MEMENTOR_BASE_URL: release })).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining(`${MULTILINGUAL_FOLDER} is not the model ${MULTILINGUAL_FOLDER}-`),
    });
    expect(inLibrary()).toEqual(before);
  });

  test("does not take its name by being called that in the library", async () => {
    const from = await writeTinyModel(join(sandbox.root, "models", "multilingual"), { seed: 7 });
    const { model: imported } = await model("import", from);
    expect(await refused(["use", "multilingual"])).toMatchObject({ exitCode: 1 });
    await model("remove", imported.id, "--files");
  });
});

test("a hub whose certificate nobody vouches for gets no request, whatever a variable says", async () => {
  let requests = 0;
  const file = (name: string) => readFileSync(join(CERTIFICATES, name), "utf8");
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert: file("self-signed.pem"), key: file("server.key") },
    fetch: () => new Response(`${++requests}`),
  });
  const env = { HF_ENDPOINT: `https://localhost:${server.port}`, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  expect(await refused(["use", "acme/far-away", "--yes"], env)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("Cannot reach https://localhost"),
  });
  expect(requests).toBe(0);
});

describe("what is typed wrong", () => {
  test.each([
    [["uze", "x"], 64, '<action> must be list, use, import or remove, not "uze".'],
    [["use"], 64, '"mementor model use" needs a target.'],
    [["use", "nothing"], 1, 'There is no model "nothing"'],
    [["import", "/nowhere"], 1, "There is no directory /nowhere."],
    [["import", "."], 1, "it has no config.json"],
    [["remove", "nothing"], 1, 'There is no model "nothing"'],
    [["use", BUILT_IN, "--pooling", "mean"], 64, "is already on this machine, with its own options"],
    [["import", ".", "--pooling", "max"], 64, '--pooling must be cls, mean or last, not "max".'],
  ] as const)("%j", async (args, code, message) => {
    expect(await refused([...args])).toEqual({ exitCode: code, stderr: expect.stringContaining(message) });
  });
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { buildMissingIndexes } from "../../../src/cli/worker/sync.ts";
import { connect } from "../../../src/store/postgres/client/connect.ts";
import { memberProjects } from "../../../src/store/postgres/postgres.ts";
import { buildVectorIndexes, INDEXED_FROM } from "../../../src/store/postgres/vectors.ts";
import { type Place, pushed } from "../../support/postgres/pushed.ts";
import { startTeam } from "../../support/postgres/team.ts";
import { batch, embedAll, openStore, tempDir, turn, vectorOf } from "../builders.ts";
import { TEXTS } from "../contract-support.ts";

const ENVIRONMENT = { env: {}, home: "/nowhere" };

/** A memory with these turns and their vectors, which pushes them. */
async function memoryOf(texts: readonly string[], place: Place) {
  const directory = tempDir();
  const written = pushed(await openStore(join(directory.path, "memory.db")), place);
  await written.store.ingest.write(batch(texts.map((text, i) => turn(i * 10, text))));
  await embedAll(written.store);
  return {
    ...written,
    async [Symbol.asyncDispose]() {
      await written.close();
      directory[Symbol.dispose]();
    },
  };
}

test("a project that has grown gets an index once, and the same answers", async () => {
  await using team = await startTeam();
  const project = await team.addProject("shop", ["ada"]);
  await team.addProject("small", ["ada"]);
  await using memory = await memoryOf(TEXTS, { team, project, role: "ada" });
  const store = await memory.read();
  const nearest = () => store.search.nearestChunks(vectorOf(TEXTS[1] ?? ""), 3);
  const before = await nearest();

  const admin = await connect(team.server.urlOf("postgres"), ENVIRONMENT);
  const built = await buildVectorIndexes(admin, { from: 1 });
  expect(built.map(({ name }) => name)).toEqual(["shop"]);
  expect(await buildVectorIndexes(admin, { from: 1 })).toEqual([]);
  expect(await nearest()).toEqual(before);
  await admin.close();
});

test("a large project lacks an index until the worker of an administrator has built it", async () => {
  await using team = await startTeam();
  const project = await team.addProject("shop", ["ada", "postgres"]);
  const settingsOf = (role: string) => ({
    project: "shop",
    url: team.server.urlOf(role),
    password: null,
    isInsecure: false,
  });
  const server = await connect(team.server.urlOf("ada"), ENVIRONMENT);
  await using memory = await memoryOf(TEXTS.slice(0, 1), { team, project, role: "ada" });
  await memory.read();
  const lacksIndex = async () => (await memberProjects(server)).map(({ lacksIndex }) => lacksIndex);
  expect(await lacksIndex()).toEqual([false]);
  await team.admin.unsafe("UPDATE mementor.usage SET chunks = $2 WHERE project_id = $1 AND author = 'ada'", [
    project,
    INDEXED_FROM,
  ]);
  expect(await lacksIndex()).toEqual([true]);
  expect(await buildMissingIndexes(settingsOf("ada"), ENVIRONMENT)).toEqual([]);
  expect(await lacksIndex()).toEqual([true]);
  expect(await buildMissingIndexes(settingsOf("postgres"), ENVIRONMENT)).toEqual(["shop"]);
  expect(await lacksIndex()).toEqual([false]);
  await server.close();
});

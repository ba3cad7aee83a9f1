import { expect, test } from "bun:test";
import { connect } from "../../../src/store/postgres/client/connect.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres.ts";
import { memberProjects } from "../../../src/store/postgres/team/project.ts";
import { buildVectorIndexes } from "../../../src/store/postgres/vectors/build-indexes.ts";
import { INDEXED_FROM } from "../../../src/store/postgres/vectors/vector-index.ts";
import { buildMissingIndexes } from "../../../src/team/vector-indexes.ts";
import { startTeam } from "../../support/postgres/team.ts";
import { batch, embedAll, MODEL, NOW, turn, vectorOf } from "../builders.ts";
import { TEXTS } from "../contract-support.ts";

test("a project that has grown gets an index once, and the same answers", async () => {
  await using team = await startTeam();
  const project = await team.addProject("shop", ["ada"]);
  await team.addProject("small", ["ada"]);
  const environment = { env: {}, home: "/nowhere" };
  const server = await connect(team.server.urlOf("ada"), environment);
  const store = openPostgresStore({ server, project, now: () => NOW });
  await store.models.add(MODEL);
  await store.ingest.write(batch(TEXTS.map((text, i) => turn(i * 10, text))));
  await embedAll(store);
  const nearest = () => store.search.nearestChunks(vectorOf(TEXTS[1] ?? ""), 3);
  const before = await nearest();

  const admin = await connect(team.server.urlOf("postgres"), environment);
  const built = await buildVectorIndexes(admin, { from: 1 });
  expect(built.map(({ name }) => name)).toEqual(["shop"]);
  expect(await buildVectorIndexes(admin, { from: 1 })).toEqual([]);
  expect(await nearest()).toEqual(before);
  await admin.close();
  await store.close();
});

test("a large project lacks an index until the worker of an administrator has built it", async () => {
  await using team = await startTeam();
  const project = await team.addProject("shop", ["ada", "postgres"]);
  const surroundings = { env: {}, home: "/nowhere" };
  const settingsOf = (role: string) => ({
    project: "shop",
    url: team.server.urlOf(role),
    password: null,
    isInsecure: false,
  });
  const server = await connect(team.server.urlOf("ada"), surroundings);
  await openPostgresStore({ server, project, now: () => NOW }).models.add(MODEL);
  const lacksIndex = async () => (await memberProjects(server)).map(({ lacksIndex }) => lacksIndex);
  expect(await lacksIndex()).toEqual([false]);
  await team.admin.unsafe("INSERT INTO mementor.usage (project_id, author, chunks) VALUES ($1, 'ada', $2)", [
    project,
    INDEXED_FROM,
  ]);
  expect(await lacksIndex()).toEqual([true]);
  expect(await buildMissingIndexes(settingsOf("ada"), surroundings)).toEqual([]);
  expect(await lacksIndex()).toEqual([true]);
  expect(await buildMissingIndexes(settingsOf("postgres"), surroundings)).toEqual(["shop"]);
  expect(await lacksIndex()).toEqual([false]);
  await server.close();
});

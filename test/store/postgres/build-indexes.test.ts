import { expect, test } from "bun:test";
import { connect } from "../../../src/store/postgres/client/connect.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres.ts";
import { buildVectorIndexes } from "../../../src/store/postgres/vectors/build-indexes.ts";
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

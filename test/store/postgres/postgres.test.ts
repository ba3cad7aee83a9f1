import { afterAll, beforeAll } from "bun:test";
import { connect } from "../../../src/store/postgres/client/connect.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres.ts";
import type { Store } from "../../../src/store/store.ts";
import { startTeam, type TestTeam } from "../../support/postgres/team.ts";
import { browsingContract } from "../browsing.contract.ts";
import { MODEL, NOW } from "../builders.ts";
import { exportingContract } from "../exporting.contract.ts";
import { searchingContract } from "../searching.contract.ts";
import { writingContract } from "../writing.contract.ts";

let team: TestTeam;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team[Symbol.asyncDispose]());

/** A store in a new project, as its only member. */
async function open(file: string): Promise<Store> {
  const project = await team.addProject(file, [], ["ada"]);
  const server = await connect(team.urlOf("ada"), { env: {}, home: "/nowhere" });
  const store = openPostgresStore({ server, project, now: () => NOW });
  await store.models.add(MODEL);
  return store;
}

browsingContract("in PostgreSQL", open);
exportingContract("in PostgreSQL", open);
writingContract("in PostgreSQL", open);
searchingContract("in PostgreSQL", open);

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ForgetSelection } from "../../../src/store/forget/types.ts";
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

test.each<[string, ForgetSelection]>([
  ["match", { match: "kettle" }],
  ["before", { before: NOW }],
  ["paths", { paths: ["src/tea.ts"], turnIds: [1] }],
  ["imported", { imported: "ada" }],
  ["author", { author: "all", sessionId: "s1" }],
])("forgetting by %s is refused, not taken for nothing", async (name, selection) => {
  const store = await open(`forget ${name}`);
  await expect(store.forget.plan(selection)).rejects.toMatchObject({
    code: "usage",
    message: `A team's database cannot forget by ${name}.`,
  });
  await store.close();
});

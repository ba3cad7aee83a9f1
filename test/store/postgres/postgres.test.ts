import { afterAll, beforeAll } from "bun:test";
import { pushed } from "../../support/postgres/pushed.ts";
import { startTeam, type TestTeam } from "../../support/postgres/team.ts";
import { browsingContract } from "../browsing.contract.ts";
import { openStore } from "../builders.ts";
import type { Written } from "../contract-support.ts";
import { exportingContract } from "../exporting.contract.ts";
import { searchingContract } from "../searching.contract.ts";

let team: TestTeam;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team[Symbol.asyncDispose]());

/** A memory that pushes to a new project, as its only member. */
async function open(file: string): Promise<Written> {
  const project = await team.addProject(file, [], ["ada"]);
  return pushed(await openStore(file), { team, project, role: "ada" });
}

browsingContract("in PostgreSQL", open);
exportingContract("in PostgreSQL", open);
searchingContract("in PostgreSQL", open);

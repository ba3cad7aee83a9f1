import { connect } from "../../../src/store/postgres/client/connect.ts";
import type { Database } from "../../../src/store/postgres/client/database.ts";
import { openPostgresStore, teamServer } from "../../../src/store/postgres/postgres.ts";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import type { ReadStore } from "../../../src/store/store.ts";
import type { Exclusions } from "../../../src/store/team.ts";
import { syncMemory } from "../../../src/sync/team/sync.ts";
import type { Written } from "../../store/contract-support.ts";
import type { TestTeam } from "./team.ts";

const ENVIRONMENT = { env: {}, home: "/nowhere" };

/** Nothing is excluded, and no session goes on. */
const ALL: Exclusions = { isPathExcluded: () => false, isProjectExcluded: false, openSince: "9999" };

/** Where a memory pushes to. */
export interface Place {
  team: TestTeam;
  project: number;
  role: string;
}

/** Sends all turns of a memory to a team's database, as a sync does, and closes the connection. */
export async function pushAll(store: SqliteStore, { team, project, role }: Place): Promise<void> {
  await store.team.join({ project: "shop", author: role });
  await store.team.share({ since: null, branches: [], onlyMarked: false, subagents: true });
  const server = teamServer({
    server: await connect(team.urlOf(role), ENVIRONMENT),
    project,
    model: (await store.models.active())?.id ?? null,
  });
  try {
    await syncMemory({
      store: store.team,
      server,
      exclusions: ALL,
      keep: { from: null, until: null, maxTurns: 0 },
      isAlone: true,
      locked: (step) => step(),
      signal: new AbortController().signal,
    });
  } finally {
    await server.close();
  }
  // A server counts its tables from time to time; PGlite never does, and would choose plans for a table of two rows.
  await team.admin.unsafe("ANALYZE");
}

/** A project of a team's database as a member reads it. `watched` stands between the store and the connection. */
export async function readAs(
  { team, project, role }: Place,
  watched: (server: Database) => Database = (server) => server,
): Promise<ReadStore> {
  return openPostgresStore(watched(await connect(team.urlOf(role), ENVIRONMENT)), project);
}

/** A memory that is written to, and the project of a team that it is read from after a sync. */
export function pushed(store: SqliteStore, place: Place): Written {
  let reading: ReadStore | undefined;
  return {
    store,
    async read() {
      await pushAll(store, place);
      reading ??= await readAs(place);
      return reading;
    },
    async close() {
      await reading?.close();
      await store.close();
    },
  };
}

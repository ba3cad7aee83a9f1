import { onFirstUse } from "../on-first-use.ts";
import type { ReadStore } from "../store.ts";
import type { Database } from "./client/database.ts";
import { projectOf } from "./query.ts";
import { searchedModel } from "./vectors.ts";

/** Reads one project of a team's database. `close` closes the connections. */
export function openPostgresStore(server: Database, id: number): ReadStore {
  const project = projectOf(server, id);
  return {
    browse: onFirstUse(async () => (await import("./browse/store.ts")).browseStore(project)),
    search: onFirstUse(async () => (await import("./search/store.ts")).searchStore(project)),
    exports: onFirstUse(async () => (await import("./export.ts")).exportStore(project)),
    models: {
      active: () =>
        project.read(async (database) => {
          const model = await searchedModel(database);
          return model === null ? null : { id: model.name, dimensions: model.dimensions };
        }),
    },
    local: null,
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

import { onFirstUse } from "../on-first-use.ts";
import type { ForgetStore, JournalStore, MarkStore, Store } from "../store.ts";
import type { Database } from "./client/database.ts";
import { projectOf } from "./query.ts";
import { unsupported } from "./unsupported.ts";
import { compactions } from "./write/compactions.ts";
import { removal } from "./write/removal.ts";

export interface PostgresOptions {
  server: Database;
  project: number;
  /** ISO 8601. */
  now: () => string;
}

/** A store in one project of a team's database. `close` closes the connections. */
export function openPostgresStore({ server, project: id, now }: PostgresOptions): Store {
  const project = projectOf(server, id);
  return {
    browse: onFirstUse(async () => (await import("./browse/store.ts")).browseStore(project)),
    status: onFirstUse(async () => (await import("./browse/status.ts")).statusStore(project)),
    ingest: onFirstUse(async () => (await import("./write/store.ts")).ingestStore(project, now)),
    search: onFirstUse(async () => (await import("./search/store.ts")).searchStore(project)),
    models: onFirstUse(async () => (await import("./vectors/model-store.ts")).modelStore(project)),
    marks: unsupported<MarkStore>("marks", NO_MARKS),
    journal: unsupported<JournalStore>("journal of hooks", compactions(project)),
    forget: unsupported<ForgetStore>("forget of this kind", removal(project)),
    secrets: unsupported("scan"),
    exports: onFirstUse(async () => (await import("./export/store.ts")).exportStore(project)),
    close: () => server.close(),
  };
}

/** Marks are a person's own, and stay in the memory of the machine. */
const NO_MARKS: Pick<MarkStore, "marksOf" | "muted" | "bad"> = {
  marksOf: async () => [],
  muted: async () => new Set(),
  bad: async () => [],
};

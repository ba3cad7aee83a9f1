import { connect } from "../../../src/store/postgres/client/connect.ts";
import type { Database } from "../../../src/store/postgres/client/database.ts";
import { teamServer } from "../../../src/store/postgres/postgres.ts";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import type { SyncRequest } from "../../../src/sync/team/sync.ts";
import type { TestTeam } from "../../support/postgres/team.ts";
import { open } from "../search.ts";
import type { MadeProject } from "./fill.ts";
import { MODEL } from "./made-turns.ts";

const PASSWORD = "of a member";

/** A member of a project, with a memory of its own in a file. */
export class Member {
  readonly role: string;
  readonly project: MadeProject;
  readonly file: string;
  readonly #team: TestTeam;

  constructor(team: TestTeam, project: MadeProject, file: string) {
    this.#team = team;
    this.project = project;
    this.file = file;
    this.role = project.authors[0] ?? "";
  }

  connect(): Promise<Database> {
    return connectTo(this.#team.server.urlOf(this.role, PASSWORD));
  }

  /** The same server as the superuser, whom no policy holds. */
  connectAsSuperuser(): Promise<Database> {
    return connectTo(this.#team.server.url);
  }

  /** Runs a part of a sync with this memory. */
  async sync(work: (request: SyncRequest, store: SqliteStore) => Promise<void>): Promise<void> {
    const store = await open(this.file, "create");
    const server = teamServer({ server: await this.connect(), project: this.project.id, model: MODEL.id });
    const request: SyncRequest = {
      store: store.team,
      server,
      exclusions: { isPathExcluded: () => false, isProjectExcluded: false, openSince: "" },
      keep: { from: null, until: null, maxTurns: 1_000_000 },
      isAlone: true,
      locked: (step) => step(),
      signal: new AbortController().signal,
    };
    await work(request, store).finally(() => Promise.all([server.close(), store.close()]));
  }
}

/** Lets a role of a project log in. */
export async function allowLogin({ admin }: TestTeam, role: string): Promise<void> {
  await admin.unsafe(`ALTER ROLE "${role}" PASSWORD '${PASSWORD}'`);
}

function connectTo(url: string): Promise<Database> {
  return connect(url, { env: {}, home: "/nowhere" });
}

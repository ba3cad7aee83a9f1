import { join } from "node:path";
import { SQL } from "bun";
import { search } from "../../src/search/search.ts";
import { connect } from "../../src/store/postgres/client/connect.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres.ts";
import { memberProjects } from "../../src/store/postgres/team/project.ts";
import { teamServer } from "../../src/store/postgres/team/server.ts";
import { buildVectorIndexes } from "../../src/store/postgres/vectors/build-indexes.ts";
import type { SqliteStore } from "../../src/store/sqlite.ts";
import { pull, push, type SyncRequest } from "../../src/team/sync.ts";
import { keywordText } from "../../src/text/keywords.ts";
import { startRealServer } from "../support/postgres/real-server.ts";
import { startTeam, type TestTeam } from "../support/postgres/team.ts";
import { median, scratchDir } from "./measure.ts";
import { open } from "./search.ts";
import { CHUNKS_A_TURN, randomText, randomVector, Synthetic } from "./synthetic.ts";
import { agreementOf, type Query } from "./team/agreement.ts";
import { fill, type MadeProject, MODEL } from "./team/fill.ts";

export interface TeamSize {
  chunks: number;
  projects: number;
  /** Turns of the largest project: what a new member pulls. */
  pulled: number;
  /** Turns that a member pushes. */
  pushed: number;
  queries: number;
}

export const SMALL: TeamSize = { chunks: 50_000, projects: 10, pulled: 2_500, pushed: 500, queries: 25 };
/** What is promised. */
export const FULL: TeamSize = {
  chunks: 1_000_000,
  projects: 200,
  pulled: 20_000,
  pushed: 3_000,
  queries: 50,
};

const PASSWORD = "of a member";
/** The sizes of the projects whose vectors get an index, as shares of the largest; all others are of one size. */
const SHARES = [1, 1 / 4, 1 / 8, 1 / 16];
const ROLES = 40;
const ROLES_A_PROJECT = 5;
/** As of a server with little memory; crashes of the machine are none of this. */
const SETTINGS = {
  shared_buffers: "512MB",
  max_wal_size: "4GB",
  wal_level: "minimal",
  max_wal_senders: "0",
};

/**
 * Measures a team's database that holds many projects, as the roles of members, with server and clients on this machine: the
 * same search at the server and in a local memory that pulled the project, beside plain SQL for the same question; push; and
 * the first pull.
 */
export async function measureTeam(size: TeamSize): Promise<string> {
  const server = await startRealServer(SETTINGS);
  if (typeof server === "string") return `no figures of a team's database: ${server}\n`;
  if (server.control === null) {
    await server.stop();
    return "no figures of a team's database: a server is filled from files, so it must be on this machine\n";
  }
  await using team = await startTeam(server);
  await team.admin.unsafe("ALTER DATABASE postgres SET maintenance_work_mem = '512MB'");
  const projects = await addProjects(team, size);
  const report = new Report(size);
  await report.timed("filling the server (COPY by the superuser, then indexes)", () =>
    fill(team.admin, projects),
  );
  const [large, , middle, , small] = projects;
  if (large === undefined || middle === undefined || small === undefined)
    throw new Error("five projects are needed");
  using scratch = scratchDir();
  for (const [name, project] of Object.entries({ small, middle, large })) {
    const file = join(scratch.path, `${name}.db`);
    const turns = Math.ceil(project.chunks / CHUNKS_A_TURN);
    const member = new Member(team, project, file);
    await report.timed(`first pull of ${number(turns)} turns with vectors`, () => member.pull(turns), {
      per: turns,
      goal: name === "large" ? "60 s for 20,000" : null,
    });
    await report.searches(`project of ${number(project.chunks)} chunks`, member, size.queries);
  }
  const indexed = projects.slice(0, SHARES.length);
  await report.timed(`indexes (HNSW) of the vectors of ${indexed.length} projects`, () =>
    buildIndexes(team, indexed),
  );
  const member = new Member(team, large, join(scratch.path, "large.db"));
  await report.searches(`project of ${number(large.chunks)} chunks, HNSW`, member, size.queries);
  for (const project of indexed) {
    const file = project === large ? member.file : null;
    await report.agreement(new Member(team, project, file ?? ""), file !== null, size.queries);
  }
  await measurePush(team, report, join(scratch.path, "push.db"), size.pushed);
  return report.toString();
}

async function addProjects(team: TestTeam, { chunks, projects, pulled }: TeamSize): Promise<MadeProject[]> {
  const large = Math.min(pulled * CHUNKS_A_TURN, Math.floor(chunks / 2));
  const indexed = SHARES.map((share) => Math.floor(large * share));
  const rest = chunks - indexed.reduce((sum, count) => sum + count, 0);
  const others = Math.floor(rest / (projects - SHARES.length));
  const made: MadeProject[] = [];
  for (let i = 0; i < projects; i++) {
    const authors = Array.from(
      { length: ROLES_A_PROJECT },
      (_, k) => `member_${(i * ROLES_A_PROJECT + k) % ROLES}`,
    );
    const id = await team.addProject(`project-${i}`, authors);
    for (const author of authors) await setPassword(team, author);
    made.push({ id, authors, chunks: indexed[i] ?? others, seed: i * 10_000_000 });
  }
  return made;
}

function setPassword({ admin }: TestTeam, role: string): Promise<unknown> {
  return admin.unsafe(`ALTER ROLE "${role}" PASSWORD '${PASSWORD}'`);
}

async function buildIndexes({ server }: TestTeam, projects: readonly MadeProject[]): Promise<void> {
  await using admin = await connect(server.url, { env: {}, home: "/nowhere" });
  const from = Math.min(...projects.map(({ chunks }) => chunks));
  await buildVectorIndexes(admin, { from });
}

/** A member of a project, with a memory of its own. */
class Member {
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

  /** The same server as the superuser, whom no policy holds. */
  connectAsSuperuser() {
    return connect(this.#team.server.url, { env: {}, home: "/nowhere" });
  }

  connect() {
    return connect(this.#team.server.urlOf(this.role, PASSWORD), { env: {}, home: "/nowhere" });
  }

  async pull(turns: number): Promise<void> {
    await this.sync(async (request, store) => {
      await store.team.join({ project: `project-${this.project.id}`, author: "a new member" });
      const { added } = await pull(request);
      if (added !== turns) throw new Error(`${added} of ${turns} turns were pulled`);
    });
  }

  async sync(work: (request: SyncRequest, store: SqliteStore) => Promise<void>): Promise<void> {
    const store = await open(this.file, "create");
    const server = teamServer({
      server: await this.connect(),
      project: this.project.id,
      model: MODEL.id,
    });
    const request: SyncRequest = {
      store: store.team,
      server,
      exclusions: { isPathExcluded: () => false, isProjectExcluded: false },
      keep: { from: null, maxTurns: 1_000_000 },
      isAlone: true,
      locked: (step) => step(),
      signal: new AbortController().signal,
    };
    await work(request, store).finally(() => Promise.all([server.close(), store.close()]));
  }

  async searchTeam({ text, meaning }: Query): Promise<void> {
    const server = await this.connect();
    const place = (await memberProjects(server)).find(({ id }) => id === this.project.id);
    if (place === undefined) throw new Error("the member sees no project");
    const store = openPostgresStore({ server, project: place.id, now: () => new Date().toISOString() });
    await search({ query: text, limit: 8 }, { store: store.search, embed: async () => meaning });
    await store.close();
  }

  async searchLocally({ text, meaning }: Query): Promise<void> {
    const store = await open(this.file, "readonly");
    await search({ query: text, limit: 8 }, { store: store.search, embed: async () => meaning });
    await store.close();
  }

  /** The same question as a superuser would ask it who knows no policies: the nearest 200, and the 200 with these words. */
  async searchPlainly({ text, meaning }: Query): Promise<void> {
    await using sql = new SQL(this.#team.server.url, { max: 1, prepare: false });
    const { id } = this.project;
    const words = [...new Set(keywordText(text).split(" "))].map((word) => `'${id}:${word}'`).join(" | ");
    await sql.unsafe(
      `(SELECT chunk_id, embedding <=> $1::text::halfvec AS score FROM mementor.chunk_vectors
         WHERE project_id = $2 AND model_id = 1 ORDER BY 2 LIMIT 200)
       UNION ALL (SELECT chunk_id, -ts_rank(words, $3::text::tsquery) FROM mementor.chunks
         WHERE words @@ $3::text::tsquery ORDER BY 2 LIMIT 200)`,
      [`[${meaning.join(",")}]`, id, words],
    );
  }
}

async function measurePush(team: TestTeam, report: Report, file: string, turns: number): Promise<void> {
  const author = "member_of_empty";
  const id = await team.addProject("empty", [author]);
  await setPassword(team, author);
  const member = new Member(team, { id, authors: [author], chunks: 0, seed: 9e8 }, file);
  await member.sync(async (request, store) => {
    await new Synthetic(MODEL.dimensions, 9e8).fill(store, turns * CHUNKS_A_TURN);
    await store.team.join({ project: "empty", author });
    await store.team.share({ since: null, branches: [], onlyMarked: false, subagents: false });
    await report.timed(
      `push of ${number(turns)} turns with vectors, read from the memory, redacted, numbered`,
      async () => {
        const pushed = await push(request);
        if (pushed !== turns) throw new Error(`${pushed} of ${turns} turns were pushed`);
      },
      { per: turns, goal: "500 turns a second" },
    );
  });
}

/** Tables of figures. */
class Report {
  readonly #size: TeamSize;
  readonly #searches: string[] = [];
  readonly #agreements: string[] = [];
  readonly #others: string[] = [];

  constructor(size: TeamSize) {
    this.#size = size;
  }

  async timed(
    what: string,
    work: () => Promise<void>,
    { per, goal }: { per?: number; goal?: string | null } = {},
  ): Promise<void> {
    const startedAt = performance.now();
    await work();
    const ms = performance.now() - startedAt;
    const rate = per === undefined ? "" : `${number(per / (ms / 1000))} turns/s`;
    this.#others.push(`| ${what} | ${(ms / 1000).toFixed(1)} s | ${rate} | ${goal ?? ""} |`);
    console.error(`${what}: ${(ms / 1000).toFixed(1)} s ${rate}`);
  }

  /** Each question is asked in all three ways, so that a busy moment hits all of them. */
  async searches(what: string, member: Member, queries: number): Promise<void> {
    const ways = [
      (query: Query) => member.searchTeam(query),
      (query: Query) => member.searchLocally(query),
      (query: Query) => member.searchPlainly(query),
    ];
    const times = ways.map((): number[] => []);
    for (let i = -2; i < queries; i++)
      for (const [way, ask] of ways.entries()) {
        const seed = member.project.seed + 4_000_003 + i;
        const query = madeQuery(seed);
        const startedAt = performance.now();
        await ask(query);
        if (i >= 0) times[way]?.push(performance.now() - startedAt);
      }
    const [team = [], local = [], plain = []] = times;
    const pair = (of: number[]) => `${median(of).toFixed(0)} / ${late(of).toFixed(0)}`;
    const more = `${(median(team) - median(local)).toFixed(0)} / ${(late(team) - late(local)).toFixed(0)}`;
    const row = `| ${what} | ${pair(team)} | ${pair(local)} | ${more} | ${pair(plain)} |`;
    this.#searches.push(row);
    console.error(row);
  }

  async agreement(member: Member, isPulled: boolean, queries: number): Promise<void> {
    await using server = await member.connect();
    await using superuser = await member.connectAsSuperuser();
    const local = isPulled ? await open(member.file, "readonly") : null;
    const { id: project, chunks, seed } = member.project;
    const asked = Array.from({ length: queries }, (_, i) => madeQuery(seed + 4_000_003 + i));
    const found = await agreementOf(
      { project, member: server, superuser, local: local?.search ?? null },
      asked,
    );
    await local?.close();
    const share = (value: number | null) => (value === null ? "" : `${(100 * value).toFixed(1)} %`);
    const times = `${found.foundMs.toFixed(0)} | ${found.measuredMs.toFixed(0)}`;
    const row = `| ${number(chunks)} | ${times} | ${share(found.chunks)} | ${share(found.results)} | ${share(found.local)} |`;
    this.#agreements.push(row);
    console.error(row);
  }

  toString(): string {
    const { chunks, projects } = this.#size;
    return [
      `\n### A team's database: ${number(chunks)} chunks of ${projects} projects\n`,
      "Search, ms, median / 95th percentile; connecting and opening included, embedding left out\n",
      "| what | at the server, as a member | in a local memory | more (goal 150 / 400) | plain SQL, as the superuser |",
      "| --- | --- | --- | --- | --- |",
      ...this.#searches,
      "\nIndexes of vectors: ms for the nearest 200 chunks; the share of the first ten that agrees (goal 95 %)\n",
      "| chunks | by the index, as a member | all measured, as the superuser | nearest chunks | results, all measured | results, local memory |",
      "| --- | --- | --- | --- | --- | --- |",
      ...this.#agreements,
      "\n| what | time | rate | goal |",
      "| --- | --- | --- | --- |",
      ...this.#others,
      "",
    ].join("\n");
  }
}

function madeQuery(seed: number): Query {
  return { text: randomText(seed, 8), meaning: randomVector(seed, MODEL.dimensions) };
}

/** The 95th percentile. */
function late(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN;
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}

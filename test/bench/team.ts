import { join } from "node:path";
import { startRealServer } from "../support/postgres/real-server.ts";
import { startTeam, type TestTeam } from "../support/postgres/team.ts";
import { scratchDir } from "./measure.ts";
import { fill, type MadeProject } from "./team/fill.ts";
import { SHAPE } from "./team/made-turns.ts";
import { allowLogin, Member } from "./team/member.ts";
import { measurePull } from "./team/pull.ts";
import { measurePush } from "./team/push.ts";
import { number, Report, timeOf } from "./team/report.ts";
import { measureSearches } from "./team/search.ts";

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

/** What can be measured by itself. Searching pulls first, to have a memory to compare with. */
export const SUBJECTS = ["pull", "search", "push"] as const;
export type Subject = (typeof SUBJECTS)[number];

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
 * same search at the server and in a local memory that pulled the project; push; and the first pull. Each beside plain SQL
 * for the same question or the same rows.
 */
export async function measureTeam(size: TeamSize, subjects: readonly Subject[] = SUBJECTS): Promise<string> {
  const server = await startRealServer(SETTINGS);
  if (typeof server === "string") return `no figures of a team's database: ${server}\n`;
  if (server.control === null) {
    await server.stop();
    return "no figures of a team's database: a server is filled from files, so it must be on this machine\n";
  }
  await using team = await startTeam(server);
  using scratch = scratchDir();
  const title = `A team's database: ${number(size.chunks)} chunks of ${size.projects} projects`;
  const report = new Report(title);
  if (subjects.includes("pull") || subjects.includes("search"))
    await measureFilled(team, report, scratch.path, size, subjects);
  if (subjects.includes("push")) await measurePush(team, report, join(scratch.path, "push.db"), size.pushed);
  return report.toString();
}

async function measureFilled(
  team: TestTeam,
  report: Report,
  folder: string,
  size: TeamSize,
  subjects: readonly Subject[],
): Promise<void> {
  const projects = await addProjects(team, size);
  const [large, , middle, , small] = projects;
  if (large === undefined || middle === undefined || small === undefined)
    throw new Error("five projects are needed");
  const filling = await timeOf(() => fill(team.server.url, projects));
  report.timing("filling the server (COPY by the superuser, then indexes)", filling);
  const memberOf = (project: MadeProject) => new Member(team, project, join(folder, `${project.id}.db`));
  const search = subjects.includes("search");
  for (const project of search ? [small, middle, large] : [large]) {
    const member = memberOf(project);
    await measurePull(report, member, project === large ? "60 s for 20,000" : null);
    if (search) await measureSearches(report, whatOf(project), member, size.queries);
  }
}

function whatOf({ chunks }: MadeProject): string {
  return `project of ${number(chunks)} chunks`;
}

async function addProjects(team: TestTeam, { chunks, projects, pulled }: TeamSize): Promise<MadeProject[]> {
  const large = Math.min(pulled * SHAPE.chunksATurn, Math.floor(chunks / 2));
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
    for (const author of authors) await allowLogin(team, author);
    // Those of one size hold the same: they are searched one at a time, and are made once.
    const seed = 10_000_000 * Math.min(i, SHARES.length);
    made.push({ id, authors, chunks: indexed[i] ?? others, seed });
  }
  return made;
}

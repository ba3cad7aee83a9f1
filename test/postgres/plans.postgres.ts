import { afterAll, beforeAll, expect, test } from "bun:test";
import { search } from "../../src/recall/search.ts";
import { connect } from "../../src/store/postgres/client/connect.ts";
import type { Database } from "../../src/store/postgres/client/database.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres.ts";
import { randomText, randomVector } from "../bench/synthetic.ts";
import { fill, type MadeProject } from "../bench/team/fill.ts";
import { MODEL } from "../bench/team/made-turns.ts";
import { startRealServer } from "../support/postgres/real-server.ts";
import { startTeam, type TestTeam } from "../support/postgres/team.ts";

const started = await startRealServer();
if (typeof started === "string") throw new Error(started);
/** A project is filled from files, so the server must be on this machine. */
const canFill = started.control !== null;

let team: TestTeam;
beforeAll(async () => {
  team = await startTeam(started);
});
afterAll(() => team[Symbol.asyncDispose]());

const environment = { env: {}, home: "/nowhere" };

async function addProject(name: string, chunks: number): Promise<MadeProject> {
  const made = { id: await team.addProject(name, [name]), authors: [name], chunks, seed: chunks };
  await fill(team.server.url, [made]);
  return made;
}

/** What the server did for the statements of a search. */
interface Work {
  /** Pages that were read, from memory or not. */
  pages: number;
  /** How each table of the plans was read; what functions did inside is only in the pages. */
  scans: string[];
}

/** Asks a question as the member of a project, and has every statement of the search explained. */
async function explainSearch({ id, authors: [role = ""] }: MadeProject): Promise<Work> {
  const work: Work = { pages: 0, scans: [] };
  await using server = await connect(team.urlOf(role), environment);
  const store = openPostgresStore(explaining(server, work), id);
  const meaning = randomVector(4_000_003, MODEL.dimensions);
  const query = randomText(4_000_003, 8);
  const { hits } = await search({ query, limit: 10 }, { store: store.search, embed: async () => meaning });
  expect(hits.length).toBe(10);
  return { pages: work.pages, scans: [...new Set(work.scans)].sort() };
}

interface Plan {
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Plan[];
}

function explaining(server: Database, work: Work): Database {
  return {
    ...server,
    transaction: (steps, options) =>
      server.transaction((sql) => {
        const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
          const [row] = await sql.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
            `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
            values,
          );
          const plan = row?.["QUERY PLAN"][0].Plan;
          if (plan === undefined) throw new Error("a statement has no plan");
          work.pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
          work.scans.push(...scansOf(plan));
          return sql.query<Row>(text, values);
        };
        return steps(Object.assign(sql.bind(null), sql, { query }));
      }, options),
  };
}

function scansOf(plan: Plan): string[] {
  const { "Node Type": node, "Relation Name": table, "Index Name": index } = plan;
  const own = table === undefined ? [] : [`${table}: ${node}${index === undefined ? "" : ` using ${index}`}`];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

test.skipIf(!canFill)("a member's search asks indexes, and other projects cost it nothing", async () => {
  const small = await addProject("small", 2_000);
  await addProject("another", 2_000);
  const before = await explainSearch(small);
  await addProject("large", 20_000);

  const after = await explainSearch(small);
  expect(after.pages).toBeLessThan(1.2 * before.pages);
  expect(after.scans.filter((scan) => /^(turns|chunks|chunk_vectors): Seq/.test(scan))).toEqual([]);
  expect(after.scans).toContain("chunk_vectors: Index Scan using chunk_vectors_pkey");
});

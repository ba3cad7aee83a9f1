import { afterAll, beforeAll, beforeEach } from "bun:test";
import type { SQL } from "bun";
import type { TestTeam } from "../../../support/postgres/team.ts";

/** Opens a team's database for a suite of tests. */
export type OpenTeam = () => Promise<TestTeam>;

/** Ada and grace share the project `shop`; olga is its admin; eve has the project `farm` of her own. */
export interface Cast {
  team: TestTeam;
  ada: SQL;
  grace: SQL;
  eve: SQL;
  olga: SQL;
  /** New projects for each test. */
  shop: number;
  farm: number;
  shopName: string;
}

/** The message of a refusal by PostgreSQL: no privilege, or a policy. */
export const REFUSED = { errno: "42501" };

/** Gives the tests of a suite their cast; to be called within `describe`. */
export function castOf(open: OpenTeam): () => Cast {
  let cast: Cast | undefined;
  let count = 0;
  beforeAll(async () => {
    const team = await open();
    const [ada, grace, eve, olga] = [team.as("ada"), team.as("grace"), team.as("eve"), team.as("olga")];
    cast = { team, ada, grace, eve, olga, shop: 0, farm: 0, shopName: "" };
  });
  beforeEach(async () => {
    const { team } = the();
    const shopName = `shop ${count}`;
    const shop = await team.addProject(shopName, ["ada", "grace"], ["olga"]);
    const farm = await team.addProject(`farm ${count++}`, ["eve"]);
    cast = { ...the(), shop, farm, shopName };
  });
  afterAll(() => cast?.team[Symbol.asyncDispose]());
  const the = () => {
    if (cast === undefined) throw new Error("the cast comes with the first test");
    return cast;
  };
  return the;
}

/** Writes a turn with a chunk as a member does, and returns the id of both. */
export async function write(
  sql: SQL,
  project: number,
  key: string,
  more: { author?: string; text?: string } = {},
): Promise<number> {
  const [ids] = await sql.unsafe("SELECT first_turn::int AS id FROM mementor.reserve_ids($1, 1, 1)", [
    project,
  ]);
  const author = more.author === undefined ? "" : ", author";
  const value = more.author === undefined ? "" : `, '${more.author}'`;
  await sql.unsafe(
    `INSERT INTO mementor.sessions (project_id, session_id${author}) VALUES ($1, 's1'${value}) ON CONFLICT DO NOTHING`,
    [project],
  );
  await sql.unsafe(
    `INSERT INTO mementor.turns (project_id, turn_id, turn_key, session_id, role, origin, tool_summary, parts, full_text,
       words, length${author}) VALUES ($1, $2, $3, 's1', 'turn', 'human', '[]', '[]', $4, $5, 2${value})`,
    [project, ids.id, Buffer.from(key), more.text ?? "the text", `'${project}:text':2`],
  );
  await sql.unsafe(
    `INSERT INTO mementor.chunks (project_id, chunk_id, turn_id, chunk_index, start, "end", content, words,
       length) SELECT project_id, turn_id, turn_id, 0, 0, 8, full_text, words, length FROM mementor.turns
       WHERE project_id = $1 AND turn_id = $2`,
    [project, ids.id],
  );
  return ids.id;
}

/** The id of a device. */
export const DEVICE = "00000000-0000-4000-8000-000000000001";

/** Unshares a turn for good. */
export function bury(
  sql: SQL,
  { project, target, key, author }: { project: number; target: string; key: string; author: string },
): Promise<unknown> {
  return sql.unsafe(
    "INSERT INTO mementor.tombstones (project_id, target, turn_key, author) VALUES ($1, $2, $3, $4)",
    [project, target, Buffer.from(key), author],
  );
}

/** The keys of the turns that a role sees in a project. */
export async function turnsOf(sql: SQL, project: number): Promise<string[]> {
  const rows = await sql.unsafe(
    "SELECT convert_from(turn_key, 'utf8') AS key FROM mementor.turns WHERE project_id = $1 ORDER BY turn_id",
    [project],
  );
  return rows.map(({ key }: { key: string }) => key);
}

/** What an author stores in a project, as its accounts say. */
export async function usageOf(sql: SQL, project: number, author: string) {
  const [usage] = await sql.unsafe(
    `SELECT rows::int, turns::int, turn_words::int AS "turnWords", chunks::int, chunk_words::int AS "chunkWords", bytes::int
     FROM mementor.usage WHERE project_id = $1 AND author = $2`,
    [project, author],
  );
  return usage;
}

/** Runs statements in one transaction, which is undone. */
export async function undone(sql: SQL, work: (sql: SQL) => Promise<unknown>): Promise<void> {
  const undo = new Error("undo");
  await sql
    .begin(async (transaction) => {
      await work(transaction);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}

import { insertRows } from "../../../src/store/postgres/client/insert.ts";
import { pushChanges } from "../../../src/sync/team/sync.ts";
import type { TestTeam } from "../../support/postgres/team.ts";
import { Synthetic } from "../synthetic.ts";
import { MODEL, SHAPE } from "./made-turns.ts";
import { allowLogin, Member } from "./member.ts";
import { number, type Report, timeOf } from "./report.ts";

const AUTHOR = "member_of_empty";
const SEED = 9e8;
/** Turns in a transaction of plain SQL. */
const PAGE = 500;

/** Measures the first push of a memory into an empty project. */
export async function measurePush(
  team: TestTeam,
  report: Report,
  file: string,
  turns: number,
): Promise<void> {
  const id = await team.addProject("empty", [AUTHOR]);
  await allowLogin(team, AUTHOR);
  const member = new Member(team, { id, authors: [AUTHOR], chunks: 0, seed: SEED }, file);
  await member.sync(async (request, store) => {
    await new Synthetic(MODEL.dimensions, SEED, SHAPE).fill(store, turns * SHAPE.chunksATurn);
    await store.team.join({ project: "empty", author: AUTHOR });
    await store.team.share({ since: null, branches: [], onlyMarked: false, subagents: false });
    const ms = await timeOf(async () => {
      const pushed = await pushChanges(request);
      if (pushed !== turns) throw new Error(`${pushed} of ${turns} turns were pushed`);
    });
    const plainMs = await insertPlainly(team, member, turns);
    report.timing(
      `push of ${number(turns)} turns with vectors, read from the memory, redacted, numbered`,
      ms,
      {
        count: turns,
        goal: "500 turns a second",
        plainMs,
      },
    );
  });
}

/** Tables that hold nearly all bytes of a turn, each with the types of its columns. */
const TABLES = ["turns", "chunks", "chunk_vectors", "file_mentions", "changes"] as const;

/**
 * Inserts the rows that the push made, as texts that are ready, into tables of the same columns and indexes: as the superuser,
 * without policies, triggers and foreign keys. Returns the milliseconds.
 */
async function insertPlainly({ admin }: TestTeam, member: Member, turns: number): Promise<number> {
  await admin.unsafe("CREATE SCHEMA plain");
  for (const table of TABLES)
    await admin.unsafe(
      `CREATE TABLE plain.${table} (LIKE mementor.${table} INCLUDING INDEXES INCLUDING STORAGE INCLUDING COMPRESSION)`,
    );
  await using server = await member.connectAsSuperuser();
  let ms = 0;
  for (let first = 0; first < turns; first += PAGE) {
    const pages = await Promise.all(
      TABLES.map((table) => pageOf({ admin }, table, member.project.id, first)),
    );
    ms += await timeOf(() =>
      server.transaction(async (sql) => {
        for (const { destination, rows } of pages) await insertRows(sql, destination, rows);
      }),
    );
  }
  await admin.unsafe("DROP SCHEMA plain CASCADE");
  return ms;
}

async function pageOf({ admin }: Pick<TestTeam, "admin">, table: string, project: number, first: number) {
  const types: { name: string; type: string }[] = await admin.unsafe(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`mementor.${table}`],
  );
  const isOfPage = table === "changes" ? "number > $2 AND number <= $3" : "turn_id > $2 AND turn_id <= $3";
  const rows: (string | null)[][] = await admin
    .unsafe(
      `SELECT ${types.map(({ name }) => `${name}::text`).join(", ")} FROM mementor.${table}
       WHERE project_id = $1 AND ${isOfPage}`,
      [project, first, first + PAGE],
    )
    .values();
  const columns = Object.fromEntries(types.map(({ name, type }) => [name, type]));
  return { destination: { table: `plain.${table}`, columns }, rows };
}

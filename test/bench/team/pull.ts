import { pullChanges } from "../../../src/sync/team/sync.ts";
import { SHAPE } from "./made-turns.ts";
import type { Member } from "./member.ts";
import { number, type Report, timeOf } from "./report.ts";

/** Turns that plain SQL reads at once. */
const PAGE = 500;

/** Measures the first pull of a project into an empty memory, which stays in the member's file. */
export async function measurePull(report: Report, member: Member, goal: string | null): Promise<void> {
  const turns = Math.ceil(member.project.chunks / SHAPE.chunksATurn);
  await member.sync(async (request, store) => {
    await store.team.join({ project: `project-${member.project.id}`, author: "a new member" });
    const ms = await timeOf(async () => {
      const { added } = await pullChanges(request);
      if (added !== turns) throw new Error(`${added} of ${turns} turns were pulled`);
    });
    const plainMs = await timeOf(() => readPlainly(member, turns));
    const what = `first pull of ${number(turns)} turns with vectors, stored and indexed in the memory`;
    report.timing(what, ms, { count: turns, goal, plainMs });
  });
}

/** Reads the same rows as the superuser, and stores nothing. */
async function readPlainly(member: Member, turns: number): Promise<void> {
  await using server = await member.connectAsSuperuser();
  for (let first = 1; first <= turns; first += PAGE)
    await server.transaction(async (sql) => {
      const place = [member.project.id, first, first + PAGE - 1];
      const these = "project_id = $1 AND turn_id BETWEEN $2 AND $3";
      await sql.query(`SELECT * FROM mementor.turns WHERE ${these}`, place);
      await sql.query(`SELECT * FROM mementor.file_mentions WHERE ${these}`, place);
      await sql.query(
        `SELECT c.turn_id, c.chunk_index, c.start, c."end", c.content, halfvec_send(v.embedding) AS vector
         FROM mementor.chunks c JOIN mementor.chunk_vectors v USING (project_id, chunk_id)
         WHERE c.project_id = $1 AND c.turn_id BETWEEN $2 AND $3`,
        place,
      );
    });
}

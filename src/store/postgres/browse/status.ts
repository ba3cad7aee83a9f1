import type { StatusStore } from "../../store.ts";
import type { TeamProject } from "../query.ts";

/** Facts about a project of a team's database. It knows nothing of hooks, which stay on their machines. */
export function statusStore(project: TeamProject): StatusStore {
  return {
    async lastIngest() {
      const row = await project.read((database) =>
        database.get<{ time: string | null }>(
          "SELECT max(updated_at) AS time FROM mementor.sources WHERE project_id = :project",
        ),
      );
      return row?.time ?? null;
    },
    async skippedLines() {
      const rows = await project.read((database) =>
        database.all<{ kind: string; lines: number }>(
          `SELECT j.key AS kind, sum(j.value::bigint)::bigint AS lines
         FROM mementor.sources o CROSS JOIN LATERAL jsonb_each_text(o.skipped::jsonb) j
         WHERE o.project_id = :project GROUP BY j.key ORDER BY 2 DESC, 1`,
        ),
      );
      return Object.fromEntries(rows.map(({ kind, lines }) => [kind, lines]));
    },
    lastHookCalls: async () => [],
    lastTold: async () => null,
  };
}

import { MementorError } from "../../../errors.ts";
import { NO_PLAN } from "../../forget/plan.ts";
import type { ForgetPlan } from "../../forget/types.ts";
import type { ForgetStore } from "../../store.ts";
import { IDS } from "../columns.ts";
import type { ProjectDatabase, TeamProject } from "../query.ts";
import { json } from "../text.ts";

/** Removes the caller's turns for good, by ids or by session. A turn leaves a tombstone, which takes everything with it. */
export function removal(project: TeamProject): Pick<ForgetStore, "plan" | "forget"> {
  return {
    plan: async ({ turnIds = [], sessionId, ...others }) => {
      // What is not understood must not be taken for "everything else".
      const [unknown] = Object.keys(others);
      if (unknown !== undefined)
        throw new MementorError("usage", `A team's database cannot forget by ${unknown}.`, {
          hint: "Leave out --db: forget it in your memory, which takes it back from the team.",
        });
      return project.read(async (database): Promise<ForgetPlan> => {
        const rows = await database.all<{ id: number }>(
          `SELECT turn_id AS id FROM mementor.turns
           WHERE project_id = :project AND author = current_user AND session_id = ? ORDER BY turn_id`,
          sessionId ?? "",
        );
        const ids = new Set([...turnIds, ...rows.map(({ id }) => id)]);
        return { ...NO_PLAN, turnIds: [...ids], sessionId: sessionId ?? null };
      });
    },
    forget: (plan) => project.write((database) => remove(database, plan.turnIds)),
  };
}

async function remove(database: ProjectDatabase, turnIds: readonly number[]): Promise<number> {
  const ids = json(turnIds);
  const OWN_TURNS = `${IDS} JOIN mementor.turns t ON t.project_id = :project AND t.author = current_user AND t.turn_id = j.value`;
  const row = await database.get<{ n: number }>(
    `SELECT count(DISTINCT t.turn_id) AS n FROM ${OWN_TURNS}`,
    ids,
  );
  // Turns without a key of their own are only deleted; their twin's tombstone keeps them away.
  await database.run(
    `DELETE FROM mementor.turns d USING (SELECT t.turn_id FROM ${OWN_TURNS} WHERE t.turn_key IS NULL) t
     WHERE d.project_id = :project AND d.turn_id = t.turn_id`,
    ids,
  );
  await database.run(
    `INSERT INTO mementor.tombstones (project_id, target, turn_key, author)
     SELECT DISTINCT :project, t.author, t.turn_key, t.author FROM ${OWN_TURNS} ON CONFLICT DO NOTHING`,
    ids,
  );
  return row?.n ?? 0;
}

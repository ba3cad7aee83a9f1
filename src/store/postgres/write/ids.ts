import { MementorError } from "../../../errors.ts";
import type { TeamProject } from "../query.ts";

interface Counts {
  turns: number;
  chunks: number;
  sources: number;
}

/** Ids for new rows of a project. */
export interface Ids {
  take(kind: keyof Counts): number;
}

/**
 * Reserves ids by a statement of its own, before the transaction that uses them, so that writers do not wait for each
 * other. Ids that are not used stay unused. Returns a function that hands them out from the first on: a transaction may be
 * repeated.
 */
export async function reserveIds(project: TeamProject, counts: Counts): Promise<() => Ids> {
  const first = await project.write((database) =>
    database.get<Counts>(
      `SELECT first_turn AS turns, first_chunk AS chunks, first_source AS sources
       FROM mementor.reserve_ids(:project, ?, ?, ?)`,
      counts.turns,
      counts.chunks,
      counts.sources,
    ),
  );
  if (first === null) throw new MementorError("internal", "the database reserved no ids");
  return () => {
    const next = { ...first };
    return {
      take(kind) {
        if (next[kind] >= first[kind] + counts[kind])
          throw new MementorError("internal", `no ids of ${kind} are left`);
        return next[kind]++;
      },
    };
  };
}

import type { BrowseStore } from "../../store.ts";
import { OF_MAIN } from "../columns.ts";
import { sessionCondition, turnCondition } from "../filter.ts";
import type { Query, Value } from "../query.ts";
import { placeCondition } from "./files.ts";

/** Returns how many rows a list would have without its limit. */
export const count: Query<BrowseStore["count"]> = async (database, what, options = {}) => {
  const { sql, params } = counted(what, options);
  return (await database.get<{ n: number }>(sql, ...params))?.n ?? 0;
};

function counted(
  what: Parameters<BrowseStore["count"]>[0],
  { filter, below, paths }: NonNullable<Parameters<BrowseStore["count"]>[1]>,
): { sql: string; params: readonly Value[] } {
  const fits = turnCondition(filter);
  const from = (table: string) => `FROM mementor.${table} WHERE project_id = :project`;
  switch (what) {
    case "turns": {
      const main = filter?.agent === undefined ? OF_MAIN : "true";
      return {
        sql: `SELECT count(*) AS n ${from("turns t")} AND ${main} AND ${fits.sql("t.turn_id")}`,
        params: fits.params,
      };
    }
    case "commits":
      return {
        sql: `SELECT count(*) AS n ${from("commits")} AND ${fits.sql("turn_id")}`,
        params: fits.params,
      };
    case "prs": {
      const ofSession = sessionCondition(filter ?? {});
      const sql = `SELECT count(DISTINCT pr_url) AS n ${from("pr_links")} AND ${ofSession.sql("session_id")}`;
      return { sql, params: ofSession.params };
    }
    case "files":
    case "touches": {
      const place = placeCondition(what === "files" ? { below } : { paths: paths ?? [] });
      const distinct = what === "files" ? "m.file_path" : "(m.file_path, m.turn_id)";
      const where = `${fits.sql("m.turn_id")} AND ${place.sql}`;
      return {
        sql: `SELECT count(DISTINCT ${distinct}) AS n ${from("file_mentions m")} AND ${where}`,
        params: [...fits.params, ...place.params],
      };
    }
  }
}

/** Returns the branches that turns were made on, the latest first. */
export const branches: Query<BrowseStore["branches"]> = async (database) => {
  return database.column<string>(
    `SELECT branch FROM mementor.turns WHERE project_id = :project AND branch IS NOT NULL
     GROUP BY branch ORDER BY max(created_at) DESC NULLS LAST`,
  );
};

/** Returns the members of the team by whom there are turns, and the caller, by name. */
export const authors: Query<BrowseStore["authors"]> = async (database) => {
  return database.column<string>(
    `SELECT author FROM mementor.turns WHERE project_id = :project UNION SELECT current_user::text ORDER BY 1`,
  );
};

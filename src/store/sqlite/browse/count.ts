import { isBelow, isFile } from "../../resources.ts";
import type { BrowseStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import type { Query } from "../connection/query.ts";
import { type Condition, sessionCondition, turnCondition } from "../filter.ts";

/** Returns how many rows a list would have without its limit. */
export const count: Query<BrowseStore["count"]> = (connection, what, { filter, below, paths } = {}) => {
  const fits = turnCondition(filter);
  switch (what) {
    case "turns": {
      const main = filter?.agent === undefined ? "t.agent_id IS NULL AND NOT t.is_sidechain" : "1";
      return number(
        connection,
        `SELECT count(*) AS n FROM turns t WHERE ${main} AND ${fits.sql("t.id")}`,
        fits,
      );
    }
    case "commits":
      return number(connection, `SELECT count(*) AS n FROM commits k WHERE ${fits.sql("k.turn_id")}`, fits);
    case "prs": {
      const ofSession = sessionCondition(filter ?? {});
      const sql = `SELECT count(DISTINCT pr_url) AS n FROM pr_links WHERE ${ofSession.sql("session_id")}`;
      return number(connection, sql, ofSession);
    }
    case "files":
      return countFiles(connection, fits, below ?? "");
    case "touches":
      return number(
        connection,
        `SELECT count(*) AS n FROM (SELECT DISTINCT file_path, turn_id FROM file_mentions
           WHERE ${fits.sql("turn_id")} AND file_path IN (SELECT value FROM json_each(?)))`,
        { params: [...fits.params, JSON.stringify(paths ?? [])] },
      );
  }
};

function countFiles(connection: Connection, fits: Condition, below: string): number {
  const directory = below.replace(/(?<!\/)\/+$/, "");
  const place = directory === "" ? null : isBelow("m.file_path", `${directory}/`);
  const where = `${isFile("m.file_path")}${place === null ? "" : ` AND ${place.sql}`}`;
  const params = [...fits.params, ...(place?.params ?? [])];
  return fits.empty
    ? number(connection, `SELECT count(*) AS n FROM file_totals m WHERE ${where}`, { params })
    : number(
        connection,
        `SELECT count(DISTINCT m.file_path) AS n FROM file_mentions m WHERE ${fits.sql("m.turn_id")} AND ${where}`,
        { params },
      );
}

function number(connection: Connection, sql: string, { params }: Pick<Condition, "params">): number {
  return connection.get<{ n: number }>(sql, ...params)?.n ?? 0;
}

/** Returns the branches that turns were made on, the latest first. */
export const branches: Query<BrowseStore["branches"]> = (connection) =>
  connection.column<string>(
    "SELECT branch FROM turns WHERE branch IS NOT NULL GROUP BY branch ORDER BY max(created_at) DESC",
  );

/** Returns the members of the team by whom there are turns, and the user where there is a team, by name. */
export const authors: Query<BrowseStore["authors"]> = (connection) =>
  connection.column<string>(
    "SELECT f.author FROM turns f WHERE f.author IS NOT NULL UNION SELECT m.author FROM team m ORDER BY 1",
  );

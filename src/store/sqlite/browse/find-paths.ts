import type { BrowseStore } from "../../store.ts";
import type { Query } from "../connection/query.ts";

/** Returns the first known path of `exact`; otherwise all paths that end in `suffix`, most touches first. */
export const findPaths: Query<BrowseStore["findPaths"]> = (connection, { exact, suffix }) => {
  for (const path of exact) {
    if (connection.get("SELECT 1 FROM file_mentions WHERE file_path = ? LIMIT 1", path) !== null)
      return [path];
  }
  if (suffix === null) return [];
  const name = suffix.slice(suffix.lastIndexOf("/") + 1);
  return connection.column<string>(
    `SELECT file_path AS path FROM file_mentions WHERE file_name = ?1
         AND (file_path = ?2 OR substr(file_path, -length(?2) - 1) = '/' || ?2)
       GROUP BY file_path ORDER BY count(*) DESC, file_path`,
    name,
    suffix,
  );
};

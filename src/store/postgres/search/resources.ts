import type { SearchStore } from "../../store.ts";
import type { ProjectDatabase } from "../query.ts";
import { isFile } from "../resources.ts";
import { json } from "../text.ts";

/** Files and URLs that the caller's session touched, newest first. */
export async function recentResources(
  database: ProjectDatabase,
  ...[sessionId, limits]: Parameters<SearchStore["recentResources"]>
): Promise<{ files: string[]; urls: string[] }> {
  const files = new Set<string>();
  const urls = new Set<string>();
  const rows = await database.all<{ resource: string; url: boolean }>(
    `SELECT m.file_path AS resource, NOT ${isFile("m.file_path")} AS url
     FROM mementor.turns t JOIN mementor.file_mentions m ON m.project_id = :project AND m.turn_id = t.turn_id
     WHERE t.project_id = :project AND t.author = current_user AND t.session_id = ? AND t.foreign_origin IS NULL
       AND t.turn_id NOT IN (SELECT value::bigint FROM jsonb_array_elements_text(?::text::jsonb) AS j (value))
     ORDER BY t.created_at DESC NULLS LAST, t.line_index DESC NULLS LAST, m.seq DESC`,
    sessionId,
    json([...(limits.except ?? [])]),
  );
  for (const { resource, url } of rows) {
    const [kept, limit] = url ? [urls, limits.urls] : [files, limits.files];
    if (kept.size < limit) kept.add(resource);
  }
  return { files: [...files], urls: [...urls] };
}

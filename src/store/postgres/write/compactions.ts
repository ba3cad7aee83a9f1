import { cleaned } from "../../../redact/gate.ts";
import type { JournalStore } from "../../store.ts";
import type { TeamProject } from "../query.ts";

/** What is known of compactions before a transcript has them. */
export function compactions(
  project: TeamProject,
): Pick<JournalStore, "announceCompaction" | "confirmCompaction"> {
  return {
    async announceCompaction(compaction) {
      const { sessionId, trigger, time } = cleaned(compaction);
      await project.write((database) =>
        database.run(
          `INSERT INTO mementor.compactions (project_id, session_id, source_id, line_index, trigger, timestamp, provisional,
             recorded_at)
           SELECT :project, ?, s.source_id, greatest(coalesce(s.line_index, 1) - 1, 0), ?, ?, true, ?
           FROM (SELECT 1) x LEFT JOIN mementor.sources s ON s.project_id = :project AND s.author = current_user
             AND s.session_id = ? AND s.agent_id IS NULL
           ORDER BY s.updated_at DESC NULLS LAST, s.source_id DESC LIMIT 1 ON CONFLICT DO NOTHING`,
          sessionId,
          trigger,
          time,
          time,
          sessionId,
        ),
      );
    },
    async confirmCompaction(sessionId) {
      await project.write((database) =>
        database.run(
          `UPDATE mementor.compactions SET provisional = false
           WHERE project_id = :project AND author = current_user AND session_id = ?`,
          sessionId,
        ),
      );
    },
  };
}

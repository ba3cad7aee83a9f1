import type { RelatedSession } from "../search/related.ts";
import type { SessionSummary } from "../store/browse/types.ts";
import { renderList } from "./list.ts";
import type { Screen } from "./screen.ts";
import { sessionCells, sessionColumns, sessionJson } from "./sessions.ts";

/** A related session with its summary. */
export interface Related extends RelatedSession {
  session: SessionSummary;
}

/** A related session as `--json` gives it; distances are cosine distances. */
export function relatedJson({ session, accessDistance, textDistance, sharedFiles }: Related) {
  return {
    ...sessionJson(session),
    access_distance: rounded(accessDistance),
    text_distance: rounded(textDistance),
    shared_files: sharedFiles,
  };
}

function rounded(distance: number | null): number | null {
  return distance === null ? null : Math.round(distance * 1e4) / 1e4;
}

/** Renders related sessions for a terminal. `TOUCHED` and `SAID` are cosine similarities of files and of text. */
export function renderRelated(related: readonly Related[], screen: Screen): string {
  if (related.length === 0) return "No related sessions.\n";
  const { first, last } = sessionColumns(screen);
  return renderList(
    [
      ...first,
      { title: "TOUCHED", align: "right", rank: 5 },
      { title: "SAID", align: "right", rank: 6 },
      { title: "SHARED FILES", align: "right", rank: 4 },
      ...last.slice(0, 2),
    ],
    related.map(({ session, accessDistance, textDistance, sharedFiles }) => {
      const cells = sessionCells(session, screen);
      return [
        ...cells.first,
        similarity(accessDistance),
        similarity(textDistance),
        `${sharedFiles.length}`,
        ...cells.last.slice(0, 2),
      ];
    }),
    screen,
  );
}

function similarity(distance: number | null): string {
  return distance === null ? "-" : (1 - distance).toFixed(2);
}

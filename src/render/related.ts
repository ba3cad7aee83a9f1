import type { RelatedSession } from "../search/related.ts";
import type { SessionSummary } from "../store/contract/types/browse.ts";
import { renderList } from "./list.ts";
import { plural } from "./plural.ts";
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

/** The number of sessions among which they were looked for, and whether what these touched was compared. */
export interface RelatedAmong {
  total: number;
  knowsTouched: boolean;
}

/** Renders related sessions for a terminal. `TOUCHED` and `SAID` are cosine similarities of files and of text. */
export function renderRelated(
  related: readonly Related[],
  { total, knowsTouched }: RelatedAmong,
  screen: Screen,
): string {
  if (related.length === 0) return "No related sessions.\n";
  const { first, last } = sessionColumns(screen);
  const list = renderList(
    [
      ...first,
      ...(knowsTouched ? [TOUCHED] : []),
      { title: "SAID", align: "right", mayGo: true },
      { title: "SHARED FILES", align: "right" },
      ...last.slice(0, 2),
    ],
    related.map(({ session, accessDistance, textDistance, sharedFiles }) => {
      const cells = sessionCells(session, screen);
      return [
        ...cells.first,
        ...(knowsTouched ? [similarity(accessDistance)] : []),
        similarity(textDistance),
        `${sharedFiles.length}`,
        ...cells.last.slice(0, 2),
      ];
    }),
    screen,
  );
  const notes = [
    related.length < total && `${related.length} of ${plural(total, "session")}, the nearest first`,
    !knowsTouched &&
      "Compared by what was said. What was touched is compared on your machine: leave out --db.",
  ];
  return (
    list +
    notes
      .map((note) => note && `${screen.style.dim(note)}\n`)
      .filter(Boolean)
      .join("")
  );
}

const TOUCHED = { title: "TOUCHED", align: "right", mayGo: true } as const;

function similarity(distance: number | null): string {
  return distance === null ? "-" : (1 - distance).toFixed(2);
}

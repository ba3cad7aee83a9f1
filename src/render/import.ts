import type { ImportReport } from "../import/import.ts";
import { oneLine } from "./list.ts";
import { plural } from "./plural.ts";
import { renderFacts } from "./table.ts";

/** The result of an import, and the progress of its embedding. */
export interface Imported extends ImportReport {
  embedded: number;
  pending: number;
}

/** An import as `--json` gives it. */
export function importJson({ origin, lines, records, turns, sessions, chunks, ...report }: Imported) {
  return {
    origin,
    lines,
    records,
    turns,
    sessions,
    chunks: { ...chunks, embedded: report.embedded, pending: report.pending },
    mentions_dropped: report.mentionsDropped,
    invalid: report.invalid,
    complete: report.complete,
  };
}

/** Renders what an import did. */
export function renderImport(report: Imported): string {
  const { origin, turns, sessions, chunks, embedded, pending, mentionsDropped, invalid, complete } = report;
  const already = [
    turns.known > 0 && `${turns.known} already imported`,
    turns.own > 0 && `${turns.own} unchanged: from your own transcripts`,
    turns.forgotten > 0 && `${turns.forgotten} not stored: forgotten here before`,
  ].filter((line) => line !== false);
  const problems = invalid.lines.map(({ line, problem }) => `line ${line}: ${oneLine(problem)}`);
  const more = invalid.count > problems.length ? [`and ${invalid.count - problems.length} more`] : [];
  return renderFacts([
    ["From", [oneLine(origin)]],
    [
      "Turns",
      [`${turns.inserted} new, ${turns.updated} updated, of ${plural(sessions, "session")}`, ...already],
    ],
    [
      "Chunks",
      [`${chunks.written} written, ${embedded} embedded${pending > 0 ? `, ${pending} still to embed` : ""}`],
    ],
    [
      "Left out",
      mentionsDropped > 0
        ? [`${plural(mentionsDropped, "path")}: invalid, excluded or outside a project`]
        : [],
    ],
    ["Invalid", invalid.count > 0 ? [`${plural(invalid.count, "line")}`, ...problems, ...more] : []],
    [
      "Note",
      complete
        ? []
        : ["The file is incomplete. Its turns are stored; import it again when you have the whole file."],
    ],
  ]);
}

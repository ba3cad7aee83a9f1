import type { ImportReport } from "../import/import.ts";
import { plural } from "./ingest.ts";
import { oneLine } from "./list.ts";
import { renderFacts } from "./table.ts";

/** What an import did, and how far its vectors are. */
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
    turns.known > 0 && `${turns.known} were there already`,
    turns.own > 0 && `${turns.own} are your own, and stay as they are`,
    turns.forgotten > 0 && `${turns.forgotten} were forgotten here, and stay forgotten`,
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
      mentionsDropped > 0 ? [`${plural(mentionsDropped, "path")} that no file of a project can have`] : [],
    ],
    ["Not used", invalid.count > 0 ? [`${plural(invalid.count, "line")}`, ...problems, ...more] : []],
    [
      "Note",
      complete
        ? []
        : ["The file ends before its end. What was in it is stored; import it again when it is whole."],
    ],
  ]);
}

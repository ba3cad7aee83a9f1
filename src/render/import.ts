import type { ImportReport } from "../import/import.ts";
import type { ExportContent } from "../import/preview.ts";
import { shWord } from "../text/shell-words.ts";
import { oneLine } from "./list.ts";
import { plural } from "./plural.ts";
import { renderBytes, renderFacts } from "./table.ts";
import { renderDate } from "./time.ts";

/** The result of an import, and the progress of its embedding. */
export interface Imported extends ImportReport {
  embedded: number;
  pending: number;
  /** Whether a background process embeds the rest. */
  isLater: boolean;
}

/** What an export holds, as `--dry-run --json` gives it. */
export function contentJson(content: ExportContent) {
  return { ...content, dry_run: true };
}

/** Renders what an export holds, before it is imported. */
export function renderContent({ origin, bytes, turns, sessions, from, to, invalid }: ExportContent): string {
  const span = from === null ? "" : `, ${renderDate(from)} to ${renderDate(to)}`;
  return renderFacts([
    ["From", [`${oneLine(origin)} (${renderBytes(bytes)}); its turns stay marked with that name`]],
    ["Holds", [`${plural(turns, "turn")} of ${plural(sessions, "session")}${span}`]],
    ["Invalid", invalid > 0 ? [`${plural(invalid, "line")}, which will be left out`] : []],
  ]);
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
  const { origin, turns, sessions, chunks, embedded, pending, isLater } = report;
  const { mentionsDropped, invalid, complete } = report;
  const rest = isLater
    ? ", the others in the background: until then, words find them"
    : `, ${pending} still to embed`;
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
      [
        `${chunks.written} written, ${chunks.brought > 0 ? `${chunks.brought} with vectors from the file, ` : ""}${embedded} embedded${pending > 0 ? rest : ""}`,
      ],
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
    ["Undo", turns.inserted > 0 ? [`mementor forget --imported ${shWord(origin)}`] : []],
  ]);
}

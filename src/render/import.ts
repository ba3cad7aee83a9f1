import type { ImportReport } from "../import/import.ts";
import type { ExportContent } from "../import/preview.ts";
import { shWord } from "../text/shell-words.ts";
import { heldWords } from "./held.ts";
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
  /** Whether what was removed as an import was to be imported again. */
  again: boolean;
}

/** What an export holds, as `--dry-run --json` gives it. */
export function contentJson(content: ExportContent) {
  return { ...content, dry_run: true };
}

/** Renders what an export holds, before it is imported. */
export function renderContent(content: ExportContent): string {
  const { origin, bytes, from, to, invalid } = content;
  const span = from === null ? "" : `, ${renderDate(from)} to ${renderDate(to)}`;
  return renderFacts([
    ["From", [`${oneLine(origin)} (${renderBytes(bytes)}); its turns stay marked with that name`]],
    ["Holds", [`${heldWords(content)}${span}`]],
    ["Invalid", invalid > 0 ? [`${plural(invalid, "line")}, which will be left out`] : []],
  ]);
}

/** An import as `--json` gives it. */
export function importJson({ origin, lines, records, turns, sessions, notes, chunks, ...report }: Imported) {
  return {
    origin,
    lines,
    records,
    turns,
    sessions,
    notes,
    chunks: { ...chunks, embedded: report.embedded, pending: report.pending },
    mentions_dropped: report.mentionsDropped,
    invalid: report.invalid,
    complete: report.complete,
  };
}

/** Renders what an import did. */
export function renderImport(report: Imported): string {
  const { origin, turns, sessions, notes, chunks, embedded, pending, isLater } = report;
  const { mentionsDropped, invalid, complete } = report;
  const rest = isLater
    ? ", the others in the background: until then, words find them"
    : `, ${pending} still to embed`;
  const problems = invalid.lines.map(({ line, problem }) => `line ${line}: ${oneLine(problem)}`);
  const more = invalid.count > problems.length ? [`and ${invalid.count - problems.length} more`] : [];
  return renderFacts([
    ["From", [oneLine(origin)]],
    ["Turns", fateLines(turns, `, of ${plural(sessions, "session")}`)],
    ["Notes", Object.values(notes).some((count) => count > 0) ? fateLines(notes) : []],
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
    [
      "Again",
      turns.forgotten + notes.forgotten > 0 && !report.again
        ? ['"--again" also imports what "mementor forget --imported" removed']
        : [],
    ],
    ["Undo", turns.inserted + notes.inserted > 0 ? [`mementor forget --imported ${shWord(origin)}`] : []],
  ]);
}

function fateLines({ inserted, updated, known, own, forgotten }: Imported["turns"], more = ""): string[] {
  return [
    `${inserted} new, ${updated} updated${more}`,
    ...(known > 0 ? [`${known} already imported`] : []),
    ...(own > 0 ? [`${own} unchanged: from your own transcripts`] : []),
    ...(forgotten > 0 ? [`${forgotten} not stored: forgotten here before`] : []),
  ];
}

import { INDEXED_CHARS } from "../constants.ts";
import type { IngestReport } from "../ingest/report.ts";
import { groupedDigits } from "../text/count.ts";
import { printable } from "../text/printable.ts";
import { plural } from "./plural.ts";
import { renderSkipped } from "./skipped-lines.ts";

function skippedLine({ lines }: IngestReport): string {
  const skipped = Object.values(lines.skipped).reduce((sum, count) => sum + count, 0);
  if (skipped === 0) return "";
  return `Lines     ${groupedDigits(lines.total)} read, ${groupedDigits(lines.indexed)} indexed, ${groupedDigits(skipped)} without text to remember\n          ${renderSkipped(lines.skipped)}\n`;
}

function vectorsLine({ chunks }: IngestReport): string {
  const parts = [`${groupedDigits(chunks.embedded)} embedded`];
  if (chunks.reused > 0) parts.push(`${groupedDigits(chunks.reused)} unchanged`);
  if (chunks.pending > 0) parts.push(`${groupedDigits(chunks.pending)} still to embed`);
  return `Chunks    ${groupedDigits(chunks.written)} written, ${parts.join(", ")}\n`;
}

function unindexedLine({ unindexed = 0 }: IngestReport): string {
  if (unindexed === 0) return "";
  return `          ${plural(unindexed, "character")} in the middle of turns over ${groupedDigits(INDEXED_CHARS)} are stored and shown, and no search finds them\n`;
}

/** Renders what an ingest did. */
export function renderIngest(report: IngestReport): string {
  const failures = report.failures.map(
    ({ path, message }) => `Failed    ${printable(path)}: ${printable(message)}\n`,
  );
  const { files, turns, seconds } = report;
  if (files.read === 0 && files.failed === 0 && report.chunks.embedded === 0) {
    const known =
      files.unchanged === 0
        ? "No transcripts found."
        : `Nothing new in ${plural(files.unchanged, "transcript")}.`;
    return `${known}\n`;
  }
  const unchanged = files.unchanged > 0 ? `, ${groupedDigits(files.unchanged)} unchanged` : "";
  return [
    `Read      ${plural(files.read, "transcript")}${unchanged}\n`,
    `Sessions  ${groupedDigits(report.sessions)}\n`,
    `Turns     ${groupedDigits(turns.inserted)} new, ${groupedDigits(turns.updated)} updated\n`,
    vectorsLine(report),
    unindexedLine(report),
    skippedLine(report),
    ...failures,
    `Took      ${(seconds.read + seconds.embed).toFixed(1)} s (reading ${seconds.read.toFixed(1)} s, embedding ${seconds.embed.toFixed(1)} s)\n`,
  ].join("");
}

/** Says that an ingest was stopped, and what is left; then what it did, if that is anything. */
export function renderStopped(unread: number, { chunks, files }: IngestReport, done: string): string {
  const left = [
    unread > 0 && `${plural(unread, "transcript")} not read to the end`,
    chunks.pending > 0 && `${plural(chunks.pending, "chunk")} still to embed`,
  ].filter((part) => part !== false);
  if (left.length === 0) return done;
  const isNothing = files.read + files.failed + chunks.embedded === 0;
  return `Stopped   with ${left.join(" and ")}; what was read is kept, and the same command goes on\n${isNothing ? "" : done}`;
}

/** Renders what an ingest did that had no transcripts to read but those in the queue. */
export function renderCaughtUp(transcripts: number, { chunks }: IngestReport): string {
  if (transcripts === 0 && chunks.embedded === 0 && chunks.pending === 0) return "Nothing was waiting.\n";
  const pending = chunks.pending > 0 ? `, ${groupedDigits(chunks.pending)} still to embed` : "";
  return `Read ${plural(transcripts, "queued transcript")}, embedded ${plural(chunks.embedded, "chunk")}${pending}.\n`;
}

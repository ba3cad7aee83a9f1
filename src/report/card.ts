import { oneLine } from "../agents/notices.ts";
import { bidiIsolated } from "../text/invisible.ts";
import { groupedDigits } from "../text/numbers.ts";
import { cutMiddleToWidth, cutToWords, splitCharacters, widthOf } from "../text/width.ts";
import type { RecallStats, Streaks } from "./activity.ts";
import type { Report } from "./report.ts";

/** The content of a card. */
export interface ReportCard {
  project: string;
  report: Report;
  /** Null when a filter applies, since recalls are counted for the whole memory, and for a team's database. */
  recall: RecallStats | null;
  streaks: Streaks;
  /** Turns by local hour, 24 numbers. */
  hours: readonly number[];
  /** Local dates of the first and the last turn; null without turns. */
  span: readonly [string, string] | null;
  /** The filters in words; empty without any. */
  narrowed: string;
}

/** The size that sites show a linked picture in. */
const [WIDTH, HEIGHT] = [1200, 630];

const EDGE = 64;

/** Start of the right column, and width of each of the three columns of figures. */
const COLUMN = 700;

const FIGURE = 208;

const ROWS = 5;

const BAR = { height: 96, top: 424 };

const STYLE = `
  svg { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
  .name { font-size: 52px; font-weight: 600; fill: #1b1c1e; }
  .big { font-size: 50px; font-weight: 600; fill: #1b1c1e; }
  .label { font-size: 22px; fill: #5d6066; }
  .head { font-size: 22px; font-weight: 600; fill: #1b1c1e; }
  .file { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 20px; fill: #1b1c1e; }
  .bar { fill: #1d5c88; }
  .faint { fill: #e3e7e6; }`;

/** Renders a picture of the work in a project as SVG, 1,200 by 630. It needs no fonts and no network. */
export function renderCard(card: ReportCard): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeXml(summary(card))}">
<style>${STYLE}
</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fbfbf9"/>
${text(EDGE, 112, "name", fitted(oneLine(card.project), WIDTH - 2 * EDGE, { size: 52, isBold: true }))}
${text(EDGE, 152, "label", fitted(subtitle(card), WIDTH - 2 * EDGE, { size: 22 }))}
${figures(card).join("\n")}
${busiest(card).join("\n")}
${hours(card.hours)}
${text(EDGE, HEIGHT - 36, "label", "Remembered by mementor")}
</svg>
`;
}

function summary({ project, report: { totals } }: ReportCard): string {
  return `${oneLine(project)}: ${totals.sessions} sessions, ${totals.turns} turns, ${totals.commits} commits`;
}

function subtitle({ span, narrowed }: ReportCard): string {
  const time = span === null ? "No turns" : [...new Set(span)].join(" to ");
  return narrowed === "" ? time : `${time}; only ${narrowed}`;
}

function figures({ report: { totals }, streaks, recall }: ReportCard): string[] {
  const all: [one: string, several: string, count: number][] = [
    ["session", "sessions", totals.sessions],
    ["turn", "turns", totals.turns],
    ["commit", "commits", totals.commits],
    ["day of work", "days of work", streaks.days],
    ["day in a row", "days in a row", streaks.longest],
    ["useful recall", "useful recalls", recall?.turnsUsed ?? 0],
  ];
  return all
    .filter(([, , count]) => count > 0)
    .flatMap(([one, several, count], i) => {
      const [x, y] = [EDGE + (i % 3) * FIGURE, 232 + Math.floor(i / 3) * 92];
      return [text(x, y, "big", compact(count)), text(x, y + 30, "label", count === 1 ? one : several)];
    });
}

/** The column on the right: the busiest files. */
function busiest({ report: { heat } }: ReportCard): string[] {
  if (heat.rows.length === 0) return [];
  const room = WIDTH - EDGE - COLUMN;
  const names = heat.rows
    .slice(0, ROWS)
    .map(({ path }) => fitted(oneLine(path), room, { size: 20, isMono: true }, "path"));
  return [
    text(COLUMN, 196, "head", "Busiest files"),
    ...names.map((name, i) => text(COLUMN, 236 + i * 34, "file", name)),
  ];
}

function hours(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  const step = (WIDTH - 2 * EDGE) / counts.length;
  const bars = counts.map((count, hour) => {
    const height = Math.max(2, Math.round((count / most) * BAR.height));
    const shade = count === 0 ? "faint" : "bar";
    return `<rect class="${shade}" x="${EDGE + hour * step}" y="${BAR.top + BAR.height - height}" width="${step - 4}" height="${height}"/>`;
  });
  const marks = [0, 6, 12, 18].map((hour) =>
    text(EDGE + hour * step, BAR.top + BAR.height + 28, "label", `${String(hour).padStart(2, "0")}:00`),
  );
  const caption = text(EDGE, BAR.top - 20, "head", "Turns by hour of the day");
  return [caption, ...bars, ...marks].join("\n");
}

function text(x: number, y: number, style: string, content: string): string {
  return `<text x="${x}" y="${y}" class="${style}">${escapeXml(bidiIsolated(content))}</text>`;
}

/** A number as it fits on a card: 1,234, 123k or 1.2M. */
function compact(value: number): string {
  if (value < 10_000) return groupedDigits(value);
  return value < 999_500 ? `${Math.round(value / 1_000)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

/** Widths in em of wide fonts that a picture may be shown with, so that no text needs more room than it is given. */
const EM = { narrow: 0.42, usual: 0.66, capital: 0.8, broad: 1.02, emoji: 1.4, mono: 0.61 } as const;

/** Width factor of bold letters. */
const BOLD = 1.12;

interface Lettering {
  /** In pixels. */
  size: number;
  isBold?: boolean;
  isMono?: boolean;
}

/** Returns the most pixels that a text takes in a picture. */
function mostPixels(text: string, { size, isBold = false, isMono = false }: Lettering): number {
  const em = isMono
    ? widthOf(text) * EM.mono
    : splitCharacters(text).reduce((sum, character) => sum + emOf(character), 0) * (isBold ? BOLD : 1);
  return em * size;
}

function emOf(character: string): number {
  if (/\p{Extended_Pictographic}/u.test(character)) return EM.emoji;
  if (widthOf(character) > 1 || /[mwMW@%&…—]/.test(character)) return EM.broad;
  if (/[\p{Lu}\d]/u.test(character)) return EM.capital;
  return /[iljtfr.,:;'|!()[\]/ -]/.test(character) ? EM.narrow : EM.usual;
}

/** Cuts a text to the pixels that it is given: between words or, as a path, in its middle. */
function fitted(text: string, room: number, lettering: Lettering, kind: "words" | "path" = "words"): string {
  const cut = kind === "words" ? cutToWords : cutMiddleToWidth;
  let columns = widthOf(text);
  let shown = text;
  while (columns > 0 && mostPixels(shown, lettering) > room) shown = cut(text, --columns);
  return shown;
}

/** Escapes a text for HTML and XML, in content and in attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}

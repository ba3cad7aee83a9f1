import type { Host } from "../../host.ts";
import type { IngestProgress, IngestStage } from "../../ingest/run.ts";
import type { VectorsReady } from "../../store/stored.ts";
import { plural } from "../../text/numbers.ts";
import { widthOf } from "../../text/width.ts";

const LABELS: Record<IngestStage, string> = { read: "Reading", embed: "Embedding" };
/** Interval between updates, in ms: short enough to look alive, long enough to cost nothing. */
const REDRAW_MS = 100;

/** Shows the progress of an ingest on stderr: a bar on a terminal, otherwise one line per stage. */
export class ProgressBar {
  readonly #host: Host;
  readonly #totals: Record<IngestStage, () => number | Promise<number>>;
  #stage: IngestStage | null = null;
  #total = 0;
  #done = 0;
  #turns = 0;
  #startedAt = 0;
  #drawnAt = 0;

  constructor(host: Host, totals: Record<IngestStage, () => number | Promise<number>>) {
    this.#host = host;
    this.#totals = totals;
  }

  async begin(stage: IngestStage): Promise<void> {
    this.#stage = stage;
    this.#total = await this.#totals[stage]();
    this.#done = 0;
    this.#startedAt = this.#host.elapsedMs();
    if (!this.#host.stderr.isTerminal && this.#total > 0)
      this.#host.stderr.write(`${LABELS[stage]} ${this.#unit()}\n`);
  }

  advance({ stage, done, turns = 0, ready }: IngestProgress): void {
    if (stage !== this.#stage) return;
    this.#done += done;
    this.#turns += turns;
    const now = this.#host.elapsedMs();
    if (!this.#host.stderr.isTerminal || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    const progress = { label: LABELS[stage], done: this.#done, total: this.#total, unit: this.#unit() };
    const found = ready ?? this.#turns;
    const { stderr } = this.#host;
    const line = renderProgress({ ...progress, found, elapsedMs: now - this.#startedAt }, stderr.columns);
    stderr.write(overwriteLine(line));
  }

  end(): void {
    if (this.#host.stderr.isTerminal && this.#drawnAt > 0) this.#host.stderr.write(overwriteLine(""));
  }

  #unit(): string {
    if (this.#stage === "read") return `${(this.#total / 1e6).toFixed(1)} MB`;
    return plural(this.#total, "chunk");
  }
}

const BAR_WIDTH = 24;
const NARROW_BAR_WIDTH = 10;
/** Below this width the bar is short. */
const NARROW = 60;

/** The progress of a long task. `done` and `total` are counts of `unit`. */
export interface Progress {
  label: string;
  done: number;
  total: number;
  unit: string;
  elapsedMs: number;
  /** Number of turns that keywords can find, or the progress of vectors. */
  found?: number | VectorsReady;
}

function remaining({ done, total, elapsedMs }: Progress): string {
  if (done <= 0 || done >= total || elapsedMs < 1000) return "";
  return `${renderSeconds((elapsedMs / done) * (total - done))} left`;
}

/** Renders ms as `12 s` or `3 min 20 s`. */
function renderSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Renders progress as one line, without a line break: a bar, the percentage, the remaining time, and what can be found already.
 * Leaves out parts that do not fit in `width` (null: no limit).
 */
export function renderProgress(progress: Progress, width: number | null = null): string {
  const share = progress.total > 0 ? Math.min(1, progress.done / progress.total) : 1;
  const size = width !== null && width < NARROW ? NARROW_BAR_WIDTH : BAR_WIDTH;
  const filled = Math.round(share * size);
  const bar = "█".repeat(filled) + "░".repeat(size - filled);
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  const parts = [`${percent} %`, progress.unit, remaining(progress), foundWords(progress)];
  return parts
    .filter((part) => part !== "")
    .reduce(
      (line, part) => {
        const longer = `${line}  ${part}`;
        // A line that fills the terminal would break, and could not be overwritten.
        return width !== null && widthOf(longer) >= width ? line : longer;
      },
      `${progress.label.padEnd(10)} ${bar}`,
    );
}

function foundWords({ found }: Progress): string {
  if (found === undefined || found === 0) return "";
  return typeof found === "number" ? `${plural(found, "turn")} can be asked` : readyWords(found);
}

/** Returns the text that replaces the terminal's current line. */
export function overwriteLine(text: string): string {
  return `\r\x1b[2K${text}`;
}

/** Says what the search by meaning can find while vectors are missing. */
export function readyWords({ first, rest }: VectorsReady): string {
  const turns =
    first.pending === 0
      ? "every turn by its first passage"
      : `${percentOf(first)} of the turns' first passages`;
  return rest.total === 0 ? turns : `${turns}; ${percentOf(rest)} of the rest`;
}

function percentOf({ pending, total }: VectorsReady["rest"]): string {
  return `${Math.floor((100 * (total - pending)) / total)} %`;
}

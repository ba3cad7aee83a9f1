import type { Host } from "../../host.ts";
import type { IngestProgress, IngestStage } from "../../ingest/run.ts";
import { plural } from "../../render/plural.ts";
import { overwriteLine, renderProgress } from "../../render/progress.ts";

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

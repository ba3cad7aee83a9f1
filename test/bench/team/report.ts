import { median } from "../measure.ts";

/** A figure beside that of plain SQL for the same rows. */
interface Timing {
  /** What is counted: turns. */
  count?: number;
  goal?: string | null;
  /** Milliseconds of plain SQL; null where there is nothing to compare. */
  plainMs?: number | null;
}

/** Tables of figures. */
export class Report {
  readonly #title: string;
  readonly #searches: string[] = [];
  readonly #others: string[] = [];

  constructor(title: string) {
    this.#title = title;
  }

  timing(what: string, ms: number, { count, goal = null, plainMs = null }: Timing = {}): void {
    const rate = count === undefined ? "" : `${number(count / (ms / 1000))} turns/s`;
    const plain = plainMs === null ? "" : `${seconds(plainMs)} (${(ms / plainMs).toFixed(1)} x)`;
    this.#others.push(`| ${what} | ${seconds(ms)} | ${rate} | ${plain} | ${goal ?? ""} |`);
    console.error(`${what}: ${seconds(ms)} ${rate}, plain SQL ${plain}`);
  }

  /** @param times ms at the server as a member, in a local memory, and of plain SQL. */
  searches(what: string, [team, local, plain]: readonly [number[], number[], number[]]): void {
    const pair = (of: number[]) => `${median(of).toFixed(0)} / ${late(of).toFixed(0)}`;
    const more = `${(median(team) - median(local)).toFixed(0)} / ${(late(team) - late(local)).toFixed(0)}`;
    const row = `| ${what} | ${pair(team)} | ${pair(local)} | ${more} | ${pair(plain)} |`;
    this.#searches.push(row);
    console.error(row);
  }

  toString(): string {
    const searches = [
      "Search, ms, median / 95th percentile; connecting and opening included, embedding left out\n",
      "| what | at the server, as a member | in a local memory | more (goal 150 / 400) | plain SQL, as the superuser |",
      "| --- | --- | --- | --- | --- |",
      ...this.#searches,
      "",
    ];
    return [
      `\n### ${this.#title}\n`,
      ...(this.#searches.length > 0 ? searches : []),
      "| what | time | rate | plain SQL for the same rows, as the superuser | goal |",
      "| --- | --- | --- | --- | --- |",
      ...this.#others,
      "",
    ].join("\n");
  }
}

/** The time that some work takes, ms. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The 95th percentile. */
function late(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN;
}

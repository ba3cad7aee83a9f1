import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One line of a table: a figure beside the baseline of the same run. */
export interface Row {
  what: string;
  ms: number;
  baseline: string;
  baselineMs: number;
  /** Peak resident memory, bytes; null where it was not measured. */
  maxRss?: number | null;
}

export interface Sample {
  ms: number;
  maxRss: number;
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs a program to its end. Fails when it fails, so that no figure comes from a run that did nothing. */
export async function runOnce(
  command: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; stdin?: string } = {},
): Promise<Sample> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    stdin: options.stdin === undefined ? "ignore" : Buffer.from(options.stdin),
    stdout: "ignore",
    stderr: "pipe",
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.env && { env: options.env }),
  });
  const exitCode = await child.exited;
  const ms = performance.now() - startedAt;
  if (exitCode !== 0)
    throw new Error(`${command.join(" ")} exited with ${exitCode}: ${await child.stderr.text()}`);
  return { ms, maxRss: child.resourceUsage()?.maxRSS ?? 0 };
}

/** Runs several programs in turn, so that a busy moment hits all of them, and returns each one's median. */
export async function inTurn(runs: readonly (() => Promise<Sample>)[], times: number): Promise<Sample[]> {
  const samples: Sample[][] = runs.map(() => []);
  for (const run of runs) await run();
  for (let round = 0; round < times; round++)
    for (const [index, run] of runs.entries()) samples[index]?.push(await run());
  return samples.map((list) => ({
    ms: median(list.map(({ ms }) => ms)),
    maxRss: Math.max(...list.map(({ maxRss }) => maxRss)),
  }));
}

/** Renders rows as a Markdown table. */
export function table(title: string, rows: readonly Row[]): string {
  const lines = rows.map(({ what, ms, baseline, baselineMs, maxRss }) => {
    const ratio = `${(ms / baselineMs).toFixed(2)} x`;
    const memory = maxRss == null ? "" : `${(maxRss / 1e6).toFixed(0)} MB`;
    return `| ${what} | ${figure(ms)} | ${baseline}: ${figure(baselineMs)} | ${ratio} | ${memory} |`;
  });
  return [
    `\n### ${title}\n`,
    "| what | time | baseline | ratio | peak memory |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n");
}

function figure(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(1)} ms`;
}

/** A directory for one run, removed with `[Symbol.dispose]`. */
export function scratchDir(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "mementor-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Compiles the smallest program there is: what every start is measured against. */
export async function compileHello(directory: string): Promise<string> {
  const entry = join(directory, "hello.ts");
  const outfile = join(directory, "hello");
  await Bun.write(entry, 'console.log("hello");\n');
  const built = await Bun.build({
    entrypoints: [entry],
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    minify: true,
    bytecode: true,
    format: "esm",
  });
  if (!built.success) throw new AggregateError(built.logs, "hello world does not build");
  return outfile;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY, type Sandbox } from "../support/sandbox.ts";

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
  /** Processor time. */
  cpuMs: number;
  maxRss: number;
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const SAMPLE = join(import.meta.dir, "..", "..", "fixtures", "transcripts", "sample");

/** Runs the binary to its end. Fails when it fails, so that no figure comes from a run that did nothing. */
export async function measured(sandbox: Sandbox, args: readonly string[], stdin = ""): Promise<Sample> {
  const launcher = join(import.meta.dir, "launch.ts");
  const child = Bun.spawn([process.execPath, launcher, BINARY, ...args], {
    cwd: sandbox.project,
    env: sandbox.env(),
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, problems] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const { exitCode, ...sample }: Sample & { exitCode: number } = JSON.parse(output);
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")} exited with ${exitCode}: ${problems}`);
  return sample;
}

/**
 * Runs several programs in turn, so that a busy moment hits all of them, and returns each one's median. Every second round
 * is in reverse order: whatever runs right after another program with the same files finds them in the processor's caches.
 */
export async function inTurn(runs: readonly (() => Promise<Sample>)[], times: number): Promise<Sample[]> {
  const samples: Sample[][] = runs.map(() => []);
  for (const run of runs) await run();
  const order = [...runs.entries()];
  for (let round = 0; round < times; round++)
    for (const [index, run] of round % 2 === 0 ? order : order.toReversed())
      samples[index]?.push(await run());
  return samples.map((list) => ({
    ms: median(list.map(({ ms }) => ms)),
    cpuMs: median(list.map(({ cpuMs }) => cpuMs)),
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

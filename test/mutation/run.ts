import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Stopped } from "./bounded.ts";
import { applyMutant, type Mutant, mutantsOf } from "./mutants.ts";
import { FOLDERS, relatedTests, sourcesOf } from "./related.ts";
import { sample } from "./sample.ts";
import { Workspace } from "./workspace.ts";

/**
 * `bun test/mutation/run.ts [--only FOLDER|FILE]... [--sample N] [--seed N] [--lines FROM-TO] [--workers N]` changes one
 * thing at a time in the pure code, runs the related unit tests, and prints each change that no test noticed. `--sample`
 * draws N changes of each `--only`; the same seed draws the same ones.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: FOLDERS },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    lines: { type: "string" },
    // More than two runs at once would make time-outs of a busy machine.
    workers: { type: "string", default: "2" },
  },
});

const ROOT = resolve(import.meta.dir, "../..");
/** A change that makes its tests take so much longer is an endless loop. */
const MIN_TIMEOUT_MS = 5_000;
const SLOWER = 8;
const UNCHANGED_TIMEOUT_MS = 10 * 60_000;
/** Bytes. The tests of the unchanged code stay under a third of it. */
const MAX_MEMORY = 1.5e9;

/** How a change was noticed, or that it was not. */
type Fate = "survived" | "failed" | Stopped;

interface Job {
  file: string;
  source: string;
  mutant: Mutant;
  /** Test files to run one set after the other, until one notices. */
  stages: readonly (readonly string[])[];
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const unchangedMs = new Map<string, number>();

for (const only of values.only) {
  const jobs = chosen(sourcesOf(only).flatMap(jobsOf));
  if (jobs.length === 0) continue;
  const fates = await runAll(jobs);
  const count = (fate: Fate) => fates.filter((each) => each === fate).length;
  const killed = jobs.length - count("survived");
  say(
    `${only}: ${killed} of ${jobs.length} killed, ${((100 * killed) / jobs.length).toFixed(1)} % ` +
      `(${count("failed")} by tests, ${count("time")} by the time limit, ${count("memory")} by the memory limit)\n`,
  );
}

function jobsOf(file: string): Job[] {
  const source = readFileSync(join(ROOT, "src", file), "utf8");
  const { first, rest } = relatedTests(file);
  const stages = [first, rest].filter((files) => files.length > 0);
  return mutantsOf(source).map((mutant) => ({ file, source, mutant, stages }));
}

function chosen(jobs: readonly Job[]): Job[] {
  const [from = 1, to = Number.POSITIVE_INFINITY] = values.lines?.split("-").map(Number) ?? [];
  const inLines = jobs.filter(({ mutant }) => mutant.line >= from && mutant.line <= to);
  return sample(inLines, Number(values.sample ?? inLines.length), Number(values.seed));
}

async function runAll(jobs: readonly Job[]): Promise<Fate[]> {
  const waiting = [...jobs];
  const fates: Fate[] = [];
  const work = async (name: string) => {
    using workspace = new Workspace(name);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const fate = await fateOf(workspace, job);
      fates.push(fate);
      if (fate === "failed") continue;
      const said = fate === "survived" ? fate : `${fate} limit`;
      say(`${said}  src/${job.file}:${job.mutant.line}  ${shown(job.source, job.mutant)}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, (_, i) => work(String(i))));
  return fates;
}

async function fateOf(workspace: Workspace, { file, source, mutant, stages }: Job): Promise<Fate> {
  for (const files of stages) await timeUnchanged(workspace, files);
  workspace.write(join("src", file), applyMutant(source, mutant));
  try {
    for (const files of stages) {
      const bounds = { timeoutMs: timeoutOf(files), maxMemory: MAX_MEMORY };
      const { stopped, exitCode } = await workspace.test(files, bounds);
      if (stopped !== null) return stopped;
      if (exitCode !== 0) return "failed";
    }
    return "survived";
  } finally {
    workspace.write(join("src", file), source);
  }
}

/** Runs tests on the unchanged code once: they must pass, and their time bounds that of the changed code. */
async function timeUnchanged(workspace: Workspace, files: readonly string[]): Promise<void> {
  const key = files.join(" ");
  if (unchangedMs.has(key)) return;
  unchangedMs.set(key, Number.NaN);
  const bounds = { timeoutMs: UNCHANGED_TIMEOUT_MS, maxMemory: MAX_MEMORY };
  const { exitCode, ms, stderr, stopped } = await workspace.test(files, bounds);
  if (exitCode !== 0)
    throw new Error(
      `the tests fail on the unchanged code (${stopped ?? exitCode}):\n${stderr.slice(-3_000)}`,
    );
  unchangedMs.set(key, ms);
}

function timeoutOf(files: readonly string[]): number {
  const ms = unchangedMs.get(files.join(" "));
  return ms === undefined || Number.isNaN(ms) ? UNCHANGED_TIMEOUT_MS : Math.max(MIN_TIMEOUT_MS, SLOWER * ms);
}

function shown(source: string, { start, end, replacement, line }: Mutant): string {
  const was = source.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 70);
  const text = source.split("\n")[line - 1]?.trim().slice(0, 90);
  return `${was} -> ${replacement === "" ? "(nothing)" : replacement}    in: ${text}`;
}

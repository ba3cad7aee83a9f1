import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { applyMutant, type Mutant, mutantsOf } from "./mutants.ts";
import { FOLDERS, relatedTests, sourcesOf } from "./related.ts";
import { Workspace } from "./workspace.ts";

/**
 * `bun test/mutation/run.ts [--only FOLDER|FILE]... [--sample N] [--lines FROM-TO]` changes one thing at a time in the
 * pure code, runs the related unit tests, and prints each change that no test noticed. `--sample` tries about so many
 * changes of each `--only`, spread evenly.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: FOLDERS },
    sample: { type: "string" },
    lines: { type: "string" },
  },
});

const ROOT = resolve(import.meta.dir, "../..");
/** More than two runs at once would make time-outs of a busy machine. */
const WORKERS = 2;
/** A change that makes its tests take so much longer is an endless loop. */
const MIN_TIMEOUT_MS = 5_000;
const SLOWER = 8;

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
  const survivors = await runAll(jobs);
  const killed = jobs.length - survivors.length;
  say(`${only}: ${killed} of ${jobs.length} killed, ${((100 * killed) / jobs.length).toFixed(1)} %\n`);
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
  const step = Math.max(1, inLines.length / Number(values.sample ?? inLines.length));
  return inLines.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

async function runAll(jobs: readonly Job[]): Promise<Job[]> {
  const waiting = [...jobs];
  const survivors: Job[] = [];
  const work = async (name: string) => {
    using workspace = new Workspace(name);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift())
      if (await survives(workspace, job)) {
        survivors.push(job);
        say(`survived  src/${job.file}:${job.mutant.line}  ${shown(job.source, job.mutant)}`);
      }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, i) => work(String(i))));
  return survivors;
}

async function survives(workspace: Workspace, { file, source, mutant, stages }: Job): Promise<boolean> {
  for (const files of stages) await timeUnchanged(workspace, files);
  workspace.write(join("src", file), applyMutant(source, mutant));
  try {
    for (const files of stages) if (!(await workspace.test(files, timeoutOf(files))).passed) return false;
    return true;
  } finally {
    workspace.write(join("src", file), source);
  }
}

/** Runs tests on the unchanged code once: they must pass, and their time bounds that of the changed code. */
async function timeUnchanged(workspace: Workspace, files: readonly string[]): Promise<void> {
  const key = files.join(" ");
  if (unchangedMs.has(key)) return;
  unchangedMs.set(key, Number.NaN);
  const { passed, ms, output } = await workspace.test(files, 10 * 60_000);
  if (!passed) throw new Error(`the tests fail on the unchanged code:\n${output.slice(-3_000)}`);
  unchangedMs.set(key, ms);
}

function timeoutOf(files: readonly string[]): number {
  const ms = unchangedMs.get(files.join(" "));
  return ms === undefined || Number.isNaN(ms) ? 10 * 60_000 : Math.max(MIN_TIMEOUT_MS, SLOWER * ms);
}

function shown(source: string, { start, end, replacement, line }: Mutant): string {
  const was = source.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 70);
  const text = source.split("\n")[line - 1]?.trim().slice(0, 90);
  return `${was} -> ${replacement === "" ? "(nothing)" : replacement}    in: ${text}`;
}

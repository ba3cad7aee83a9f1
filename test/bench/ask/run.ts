import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { freshBinary } from "../../support/binary.ts";
import { type Grade, grade } from "./grade.ts";
import { placeOf } from "./places.ts";
import { CONDITIONS, type Condition, prepare } from "./prepare.ts";
import { readTasks, type Task } from "./tasks.ts";

/**
 * `bun run bench:ask --prepare DIR [--bin FILE] [--condition none|invited|hook] [--only NN,NN]` lays out the tasks of
 * `fixtures/ask` for a coding agent, `--agent COMMAND` has a command play them (its last argument is the prompt), and
 * `--grade DIR [--json FILE]` runs the hidden tests on what became of them.
 */
const { values: options } = parseArgs({
  options: {
    prepare: { type: "string" },
    grade: { type: "string" },
    agent: { type: "string" },
    bin: { type: "string" },
    condition: { type: "string", default: "invited" },
    only: { type: "string" },
    json: { type: "string" },
  },
});
/** In ms: an agent that is not done by then is graded by what stands. */
const PATIENCE_MS = 900_000;

const FEW_CALLS = 2;

const tasks = chosen(readTasks(), options.only);
if (options.prepare !== undefined) {
  const directory = resolve(options.prepare);
  const condition = CONDITIONS.find((name) => name === options.condition);
  if (condition === undefined) throw new Error(`--condition is one of ${CONDITIONS.join(", ")}`);
  await prepare(directory, resolve(options.bin ?? freshBinary()), condition, tasks);
  console.log(`${tasks.length} tasks lie in ${directory}/${condition}`);
  if (options.agent !== undefined) for (const task of tasks) await play(directory, condition, task);
}
if (options.grade !== undefined) {
  const grades = await grade(resolve(options.grade), tasks);
  console.log(table(grades));
  if (options.json) writeFileSync(options.json, grades.map((row) => `${JSON.stringify(row)}\n`).join(""));
}
if (options.prepare === undefined && options.grade === undefined)
  throw new Error("--prepare DIR or --grade DIR is missing");

function chosen(all: readonly Task[], only: string | undefined): Task[] {
  const numbers = only?.split(",");
  return all.filter(({ id }) => numbers === undefined || numbers.includes(id.slice(0, 2)));
}

/** Has the agent work on a task, with the hooks that `enable` left; credentials must come from the environment. */
async function play(directory: string, condition: Condition, task: Task): Promise<void> {
  const { repo, home, bin, answer } = placeOf(directory, condition, task.id);
  const { XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, ...env } = process.env;
  const path = condition === "none" ? {} : { PATH: `${bin}:${env.PATH}` };
  const child = Bun.spawn(["/bin/sh", "-c", `${options.agent} "$1"`, "sh", task.prompt], {
    cwd: repo,
    env: { ...env, ...path, HOME: home, XDG_CACHE_HOME: `${directory}/cache` },
    stdio: ["ignore", Bun.file(answer), "inherit"],
    timeout: PATIENCE_MS,
  });
  await child.exited;
  console.log(`${task.id}: exit ${child.exitCode}, ${readFileSync(answer, "utf8").trim().slice(-200)}`);
}

/** Shows what was solved, by condition and kind. */
function table(grades: readonly Grade[]): string {
  const rows = [
    ["condition", "kind", "played", "solved", "visible only", "says guess", "calls", "characters"],
  ];
  for (const condition of CONDITIONS)
    for (const kind of ["rule", "amended", "absent"] as const) {
      const of = grades.filter((row) => row.condition === condition && row.kind === kind);
      if (of.length === 0) continue;
      rows.push(
        [
          ...[condition, kind, of.length],
          of.filter(isSolved).length,
          of.filter(({ visible, hidden }) => visible && !hidden).length,
          of.filter(({ saysGuess }) => saysGuess).length,
          median(of.map(({ calls }) => calls)),
          Math.round(of.reduce((sum, { characters }) => sum + characters, 0) / of.length),
        ].map(String),
      );
    }
  const missed = grades.filter((row) => !isSolved(row)).map((row) => `${row.condition} ${row.task}`);
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(i < 2 ? 10 : 13))
      .join("")
      .trimEnd(),
  );
  return [...lines, "", `not solved: ${missed.join(", ") || "none"}`].join("\n");
}

/** Where the rule is nowhere, the agent must say that it guessed, and not have searched for long. */
function isSolved({ kind, visible, hidden, saysGuess, calls }: Grade): boolean {
  return visible && hidden && (kind !== "absent" || (saysGuess === true && calls <= FEW_CALLS));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

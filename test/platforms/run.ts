import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hostTarget, type Target } from "../../src/assets/target.ts";
import { freshBinary, PROJECT } from "../support/binary.ts";
import { outcomeOf } from "../support/outcome.ts";
import { runBattery } from "./battery.ts";
import type { Outcome } from "./check.ts";
import { type Result, writePage } from "./page.ts";
import { Place, type Runner } from "./place.ts";
import { SYSTEMS, type System, whyNot } from "./systems.ts";

/**
 * `bun run try:platforms [--only NAME]... [--own] [--cached] [--page]` builds every binary, fetches what runs those of
 * other platforms, and runs the battery with each. `--own` tries this machine's binary alone, `--cached` only what needs
 * nothing fetched, and `--page` writes the outcome into the page "platforms".
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    own: { type: "boolean", default: false },
    cached: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
});

const ROOT = join(import.meta.dir, "../..");
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "mementor-platforms");
const own = hostTarget();
const chosen = SYSTEMS.filter(({ name }) => values.only?.includes(name) ?? true);
const results: Result[] = [];
if (own !== null && (values.own || values.only === undefined || values.only.includes(own)))
  await tried({ name: own, target: own, how: "run" }, { kind: "own", words: [] });
const isWine = ({ target }: System) => target.startsWith("windows");
// Two at a time: Wine waits much.
if (!values.own) {
  const lanes = [chosen.filter(isWine), chosen.filter((system) => !isWine(system))];
  await Promise.all(lanes.map((lane) => inTurn(lane)));
}

const bad = results.flatMap(({ outcomes }) => outcomes.filter(({ problem }) => problem !== "")).length;
if (values.page) await writePage(results, ROOT);
const count = results.flatMap(({ outcomes }) => outcomes).length;
process.stdout.write(`${count - bad} passed, ${bad} failed\n`);
process.exitCode = bad > 0 ? 1 : 0;

async function inTurn(systems: readonly System[]): Promise<void> {
  for (const system of systems) await triedElsewhere(system);
}

async function triedElsewhere(system: System): Promise<void> {
  const reason = whyNot() ?? (values.cached && !isFetched(system) ? "it is not in the cache" : null);
  if (reason !== null) {
    process.stdout.write(`${system.name.padEnd(22)} left out: ${reason}\n`);
    return;
  }
  await fetched(system);
  if (system.runner !== null) await tried(system, system.runner(CACHE));
  else await lookedAt(system);
}

function isFetched({ needs }: System): boolean {
  return needs.every((name) => existsSync(join(CACHE, `${name}.done`)));
}

/** Fetches what a system needs and the cache lacks. */
async function fetched(system: System): Promise<void> {
  if (isFetched(system)) return;
  await mkdir(CACHE, { recursive: true });
  process.stdout.write(`${system.name.padEnd(22)} fetching ${system.needs.join(", ")}\n`);
  for (const name of system.needs) {
    if (existsSync(join(CACHE, `${name}.done`))) continue;
    const log = join(CACHE, `${name}.log`);
    const child = Bun.spawn(["bash", join(import.meta.dir, "fetch.sh"), CACHE, name], {
      stdin: "ignore",
      stdout: Bun.file(log),
      stderr: Bun.file(log),
    });
    if ((await child.exited) !== 0) throw new Error(`${name} could not be fetched: see ${log}`);
    await writeFile(join(CACHE, `${name}.done`), "");
  }
}

async function tried(system: Pick<System, "name" | "target" | "how">, runner: Runner): Promise<void> {
  const neighbour = runner.kind === "wine" && own !== null ? binaryOf(own) : null;
  using place = await Place.make(system.target, binaryOf(system.target), runner, neighbour);
  const outcomes = await runBattery(place, (outcome) => tell(system.name, outcome));
  results.push({ ...system, outcomes });
}

/** Looks at a binary that nothing here can run. */
async function lookedAt(system: System): Promise<void> {
  const python = join(CACHE, "signatures", "bin", "python");
  const began = Bun.nanoseconds();
  const child = Bun.spawn([python, join(import.meta.dir, "signature.py"), binaryOf(system.target)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stdout, stderr, exitCode } = await outcomeOf(child);
  const problem = exitCode === 0 ? "" : stdout + stderr;
  const outcome = {
    name: "the signature, page by page",
    problem,
    seconds: (Bun.nanoseconds() - began) / 1e9,
  };
  tell(system.name, outcome);
  results.push({ ...system, outcomes: [outcome] });
}

/** Builds a binary where a source is newer. */
function binaryOf(target: Target): string {
  if (target === own) return freshBinary();
  const binary = join(ROOT, "dist", `mementor-${target}${target.startsWith("windows") ? ".exe" : ""}`);
  return freshBinary({ ...PROJECT, binary, command: [...PROJECT.command, "--target", target] });
}

function tell(name: string, { name: check, problem, seconds }: Outcome): void {
  const said = problem === "" ? "ok" : `FAILED: ${problem.replace(/\s+/g, " ").slice(0, 600)}`;
  process.stdout.write(
    `${name.padEnd(22)} ${check.padEnd(52)} ${seconds.toFixed(1).padStart(6)} s  ${said}\n`,
  );
}

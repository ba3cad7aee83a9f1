import { appendFileSync, copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { workerDone } from "../e2e/client.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { compileHello, inTurn, type Row, SAMPLE, type Sample, scratchDir } from "./measure.ts";

const RUNS = 25;
const LAUNCHER = join(import.meta.dir, "launch.ts");
/** A session of the sample with files, an error and enough turns for every hook to have something to say. */
const SESSION = "7d52e9b4-0c3f-4a86-b1de-5f4c6a7b8d03";

const UNRELATED = "center the logo of the landing page both ways, and give the footer a darker shade of grey";
const PROMPT =
  "Why does the link checker wait per host with a token bucket instead of lowering the global concurrency?";

/** A call of the binary to be measured. */
export interface Case {
  what: string;
  args: readonly string[];
  input?: () => object;
  before?: () => void;
  /** It leaves a worker behind, which must not be measured with the next. */
  works?: boolean;
}

/** Measures the start of the binary and of every hook on a memory of the sample, each against a compiled hello world. */
export async function measureStart(corpus: string = SAMPLE): Promise<Row[]> {
  using scratch = scratchDir();
  await using sandbox = await Sandbox.create();
  const hello = copied(await compileHello(scratch.path), scratch.path);
  const program = copied(BINARY, scratch.path);
  await succeed(sandbox, ["enable", "--no-history"]);
  await succeed(sandbox, ["ingest", corpus]);
  const cases = casesOf(sandbox);
  const runs = [
    () => launch(sandbox, [hello], {}),
    ...cases.map(({ args, input, before, works }) => async () => {
      before?.();
      const sample = await launch(sandbox, [program, ...args], input?.() ?? {});
      if (works) await workerDone(sandbox);
      return sample;
    }),
  ];
  const [baseline, ...samples] = await inTurn(runs, RUNS);
  return cases.map(({ what }, index) => ({
    what,
    ms: samples[index]?.ms ?? Number.NaN,
    maxRss: samples[index]?.maxRss ?? null,
    baseline: "hello world",
    baselineMs: baseline?.ms ?? Number.NaN,
  }));
}

/**
 * Copies a program. How a file was written decides how it lies in the page cache, which changes a start by a fifth: programs
 * that are compared are written in the same way, at the same time.
 */
export function copied(program: string, directory: string): string {
  const copy = join(directory, `${basename(program)}-copy`);
  copyFileSync(program, copy);
  return copy;
}

/** The calls of a start and of every hook, in the project of a sandbox. */
export function casesOf({ project, root }: Sandbox): Case[] {
  // Named as Claude Code names sessions; it is not there, so nothing is new.
  const quiet = join(root, "home", ".claude", "projects", "-project", `${SESSION}.jsonl`);
  const growing = join(root, "growing.jsonl");
  const hook = (event: string, what: string, fields: object, rest: Partial<Case> = {}): Case => ({
    what: `hook ${event}, ${what}`,
    args: ["hook", event],
    // New sessions, so that what was told once is told again.
    input: () => ({ session_id: crypto.randomUUID(), transcript_path: quiet, cwd: project, ...fields }),
    ...rest,
  });
  const file = (path: string) => ({ tool_name: "Read", tool_input: { file_path: join(project, path) } });
  const grow = { before: () => appendFileSync(growing, "{}\n"), works: true };
  return [
    { what: "mementor --version", args: ["--version"] },
    hook("stop", "nothing new", { stop_hook_active: false }),
    hook("stop", "starting the worker", { transcript_path: growing }, grow),
    hook("session-end", "nothing new", { reason: "other" }),
    hook("pre-compact", "nothing new", { trigger: "auto" }),
    hook("pre-tool-use", "unknown file", file("src/none.ts")),
    hook("pre-tool-use", "told", file("src/net/checker.ts")),
    hook("subagent-start", "told", { session_id: SESSION }),
    hook("session-start", "startup", { source: "startup" }, { works: true }),
    hook("session-start", "after a compaction, told", { session_id: SESSION, source: "compact" }),
    hook("user-prompt-submit", "trivial prompt", { prompt: "ok" }),
    hook("user-prompt-submit", "cold, on nothing that was said", { prompt: UNRELATED }),
    hook("user-prompt-submit", "cold", { prompt: PROMPT }),
    hook("user-prompt-submit", "cold, in a session with files", { session_id: SESSION, prompt: PROMPT }),
  ];
}

/** Runs the binary, and fails when it fails. */
export async function succeed(
  sandbox: Sandbox,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const { exitCode, stderr } = await sandbox.run(args, { env });
  if (exitCode !== 0) throw new Error(stderr);
}

/** Runs a program on JSON input and measures it from outside. */
export async function launch(sandbox: Sandbox, command: readonly string[], input: object): Promise<Sample> {
  const child = Bun.spawn([process.execPath, LAUNCHER, ...command], {
    cwd: sandbox.project,
    env: sandbox.env(),
    stdin: Buffer.from(JSON.stringify(input)),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, problems] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const { exitCode, ...sample }: Sample & { exitCode: number } = JSON.parse(output);
  if (exitCode !== 0 || problems !== "")
    throw new Error(`${command.join(" ")} exited with ${exitCode}: ${problems}`);
  return sample;
}

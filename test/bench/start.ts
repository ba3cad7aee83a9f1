import { join } from "node:path";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { compileHello, inTurn, type Row, scratchDir } from "./measure.ts";

const SAMPLE = join(import.meta.dir, "..", "..", "fixtures", "transcripts", "sample");
const RUNS = 25;

/** Measures the start of the binary and of the hooks on a small memory, each against a compiled hello world. */
export async function measureStart(corpus: string = SAMPLE): Promise<Row[]> {
  using scratch = scratchDir();
  await using sandbox = await Sandbox.create();
  const hello = await compileHello(scratch.path);
  const prepared = [await sandbox.run(["enable", "--no-history"]), await sandbox.run(["ingest", corpus])];
  const failed = prepared.find(({ exitCode }) => exitCode !== 0);
  if (failed) throw new Error(failed.stderr);
  const transcript = join(sandbox.project, "session.jsonl");
  const input = (fields: object) =>
    JSON.stringify({ session_id: "bench", transcript_path: transcript, cwd: sandbox.project, ...fields });
  const hook = (event: string, fields: object) => () => run(sandbox, ["hook", event], input(fields));
  const what: [string, () => ReturnType<typeof run>][] = [
    ["mementor --version", () => run(sandbox, ["--version"])],
    ["hook user-prompt-submit, trivial prompt", hook("user-prompt-submit", { prompt: "ok" })],
    ["hook stop, nothing to do", hook("stop", { stop_hook_active: false })],
    [
      "hook pre-tool-use",
      hook("pre-tool-use", {
        tool_name: "Read",
        tool_input: { file_path: join(sandbox.project, "src/index.ts") },
      }),
    ],
    [
      "hook user-prompt-submit, cold",
      hook("user-prompt-submit", { prompt: "How did we limit the rate of the link checker?" }),
    ],
  ];
  const samples = await inTurn(
    [() => run(sandbox, [], undefined, hello), ...what.map(([, work]) => work)],
    RUNS,
  );
  const baselineMs = samples[0]?.ms ?? Number.NaN;
  return what.map(([name], index) => ({
    what: name,
    ms: samples[index + 1]?.ms ?? Number.NaN,
    maxRss: samples[index + 1]?.maxRss ?? null,
    baseline: "hello world",
    baselineMs,
  }));
}

async function run(sandbox: Sandbox, args: readonly string[], stdin?: string, program = BINARY) {
  const startedAt = performance.now();
  const child = Bun.spawn([program, ...args], {
    cwd: sandbox.project,
    env: sandbox.env(),
    stdin: Buffer.from(stdin ?? ""),
    stdout: "ignore",
    stderr: "ignore",
  });
  await child.exited;
  return { ms: performance.now() - startedAt, maxRss: child.resourceUsage()?.maxRSS ?? 0 };
}

import { dirname, join, resolve } from "node:path";
import { MULTILINGUAL } from "../../src/constants.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { inTurn, measured, type Row, SAMPLE, type Sample } from "./measure.ts";
import { launch, succeed } from "./start.ts";
import { randomText } from "./synthetic.ts";

const RUNS = 9;
const WORDS = 9;

/**
 * Measures the processor time and the memory of an ingest and of the prompt's hook with the model for many languages,
 * against the built-in model in the same run. `archive` is what `bun run make:model` made.
 */
export async function measureModels(archive: string, corpus: string = SAMPLE): Promise<Row[]> {
  await using builtIn = await Sandbox.create();
  await using other = await Sandbox.create();
  for (const sandbox of [builtIn, other]) await succeed(sandbox, ["enable", "--no-history"]);
  await succeed(other, ["model", "use", "multilingual"], { MEMENTOR_BASE_URL: dirname(resolve(archive)) });
  const ingests: Sample[] = [];
  for (const sandbox of [builtIn, other]) ingests.push(await measured(sandbox, ["ingest", corpus]));
  let seed = 7_000_003;
  const ask = (sandbox: Sandbox) => () =>
    launch(sandbox, [BINARY, "hook", "user-prompt-submit"], {
      session_id: crypto.randomUUID(),
      transcript_path: join(sandbox.root, "quiet.jsonl"),
      cwd: sandbox.project,
      prompt: randomText(seed++, WORDS),
    });
  const prompts = await inTurn([ask(builtIn), ask(other)], RUNS);
  return [row("ingest", ingests), row("a prompt's hook", prompts)];
}

function row(what: string, [builtIn, other]: readonly Sample[]): Row {
  const { cpuMs: ms = Number.NaN, maxRss = null } = other ?? {};
  const { cpuMs: baselineMs = Number.NaN, maxRss: usual = 0 } = builtIn ?? {};
  const baseline = `built-in model, ${(usual / 1e6).toFixed(0)} MB`;
  return { what: `${what}, ${MULTILINGUAL.alias}`, ms, maxRss, baseline, baselineMs };
}

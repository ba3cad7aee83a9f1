import { BINARY, Sandbox } from "../support/sandbox.ts";
import { compileHello, inTurn, type Row, scratchDir } from "./measure.ts";
import { fillMemory, synthetic } from "./prompt.ts";
import { copied, launch } from "./start.ts";
import { SESSION } from "./synthetic.ts";

const TURNS = 20_000;
const RUNS = 25;
const COMMANDS = [["show", String(TURNS / 2)], ["show", SESSION], ["sessions"], ["files"], ["recent"]];

/** Measures the lists of the command line in a large memory, each against a compiled hello world. */
export async function measureLists(): Promise<Row[]> {
  using scratch = scratchDir();
  await using sandbox = await Sandbox.create();
  const hello = copied(await compileHello(scratch.path), scratch.path);
  const program = copied(BINARY, scratch.path);
  await fillMemory(sandbox, (store) => synthetic().fillTurns(store, TURNS));
  const commands = [[hello], ...COMMANDS.map((words) => [program, ...words])];
  const runs = commands.map((command) => () => launch(sandbox, command, {}));
  const [baseline, ...samples] = await inTurn(runs, RUNS);
  return COMMANDS.map((words, index) => ({
    what: `mementor ${words.join(" ")}`,
    ms: samples[index]?.ms ?? Number.NaN,
    maxRss: samples[index]?.maxRss ?? null,
    baseline: "hello world",
    baselineMs: baseline?.ms ?? Number.NaN,
  }));
}

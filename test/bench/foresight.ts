import { parseArgs } from "node:util";
import { atRandom, hook, isForeseen, pipeline, vectorsAlone } from "./foreseen.ts";
import { share } from "./measures.ts";
import { type BenchMemory, openBenchMemory } from "./memory.ts";
import { isTrivial, replay } from "./replay.ts";

const { values: options } = parseArgs({ options: { corpus: { type: "string" } } });
const say = (line: string) => process.stdout.write(`${line}\n`);

if (options.corpus === undefined) {
  say("usage: bench:foresight --corpus DIR");
  process.exit(1);
}
const memory = await openBenchMemory(options.corpus);
try {
  await benchForesight(memory);
} finally {
  await memory.close();
}

async function benchForesight(memory: BenchMemory): Promise<void> {
  const prompts = await replay(memory);
  const byPipeline: boolean[] = [];
  const byVectors: boolean[] = [];
  const told: ("right" | "wrong" | "silent")[] = [];
  for (const prompt of prompts) {
    byPipeline.push(isForeseen(await pipeline(memory, prompt), prompt));
    byVectors.push(isForeseen(await vectorsAlone(memory, prompt), prompt));
    told.push(await hook(memory, prompt));
  }
  const recent = prompts.map((prompt) => isForeseen(prompt.earlier, prompt));
  const random = prompts.map(atRandom).reduce((sum, chance) => sum + chance, 0) / Math.max(1, prompts.length);
  const yes = (one: boolean) => one;
  say(`\nforesight: ${prompts.length} prompts that go on to edit a file which an earlier session touched`);
  say(`pipeline, before classify and gate  ${share(byPipeline, yes).toFixed(3)}`);
  say(`vectors alone                       ${share(byVectors, yes).toFixed(3)}`);
  say(`most recent turns                   ${share(recent, yes).toFixed(3)}`);
  say(`turns at random                     ${random.toFixed(3)}`);
  say(
    `hook: answered ${share(told, (one) => one !== "silent").toFixed(3)}, with such a file ${share(told, (one) => one === "right").toFixed(3)}; trivial prompts ${prompts.filter(isTrivial).length}`,
  );
}

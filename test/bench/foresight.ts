import { parseArgs } from "node:util";
import { withoutRepeats } from "../../src/search/distinct.ts";
import { rankForPrompt, recall } from "../../src/search/recall.ts";
import { share } from "./measures.ts";
import { type BenchMemory, openBenchMemory } from "./memory.ts";
import { asOf, isTrivial, type ReplayPrompt, type ReplayTurn, replay } from "./replay.ts";

/** A prompt is foreseen when one of the first so many turns touched a file that it goes on to edit. */
const FIRST = 3;

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

async function pipeline({ store, embedder }: BenchMemory, prompt: ReplayPrompt): Promise<ReplayTurn[]> {
  const then = asOf(store.search, prompt, (name) => embedder.embed(name));
  const ranking = await rankForPrompt(
    prompt.current.prompt,
    prompt.current.turn.sessionId,
    prompt.earlier.length,
    {
      store: then,
      openEmbed: async () => (text) => embedder.embed(text),
      isLate: () => false,
    },
  );
  return turnsOf(
    withoutRepeats(ranking.near).kept.map(({ turn }) => turn.turnId),
    prompt,
  );
}

async function hook(
  { store, embedder }: BenchMemory,
  prompt: ReplayPrompt,
): Promise<"right" | "wrong" | "silent"> {
  const then = asOf(store.search, prompt, (name) => embedder.embed(name));
  const { hits } = await recall(prompt.current.prompt, prompt.current.turn.sessionId, {
    store: then,
    journal: { injectedTurns: async () => new Set() },
    openEmbed: async () => (text) => embedder.embed(text),
    isLate: () => false,
  });
  if (hits.length === 0) return "silent";
  return isForeseen(
    turnsOf(
      hits.map(({ turn }) => turn.turnId),
      prompt,
    ),
    prompt,
  )
    ? "right"
    : "wrong";
}

async function vectorsAlone({ store, embedder }: BenchMemory, prompt: ReplayPrompt): Promise<ReplayTurn[]> {
  const then = asOf(store.search, prompt, (name) => embedder.embed(name));
  const near = await then.nearestChunks(await embedder.embed(prompt.current.prompt), 200, {
    inContext: { sessionId: prompt.current.turn.sessionId },
  });
  return turnsOf([...new Set(near.map(({ turnId }) => turnId))], prompt);
}

/** Turns of earlier sessions only, in the ranking's order. */
function turnsOf(ids: readonly number[], { earlier }: ReplayPrompt): ReplayTurn[] {
  const known = new Map(earlier.map((one) => [one.turn.turnId, one]));
  return ids.flatMap((id) => known.get(id) ?? []);
}

function isForeseen(ranked: readonly ReplayTurn[], { files }: ReplayPrompt): boolean {
  return ranked.slice(0, FIRST).some((one) => touches(one, files));
}

function atRandom({ earlier, files }: ReplayPrompt): number {
  const misses = share(earlier, (one) => !touches(one, files));
  return 1 - misses ** FIRST;
}

function touches({ touched }: ReplayTurn, files: ReadonlySet<string>): boolean {
  return [...files].some((file) => touched.has(file));
}

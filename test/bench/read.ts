import { readFileSync } from "node:fs";
import { claudeCode, discoverTranscripts } from "../../src/agents/claude-code/agent.ts";
import { rememberedRoots } from "../../src/ingest/run.ts";
import { BlockReader } from "../../src/ingest/transcript/lines.ts";
import type { FindRoots } from "../../src/ingest/transcript/transcript.ts";
import { projectRoots } from "../../src/io/git/project.ts";
import { cleanText } from "../../src/redact/clean.ts";
import { type Row, SAMPLE } from "./measure.ts";

/** The best of them counts: what else the machine does only adds to a time. */
const ROUNDS = 9;

/**
 * Measures reading from the first byte into turns, without writing, against `JSON.parse` of every line.
 *
 * @param repeat how often each transcript is read, so that a small corpus takes long enough to be measured.
 */
export async function measureRead(corpus: string = SAMPLE, repeat = 1): Promise<Row[]> {
  const found = await Array.fromAsync(discoverTranscripts(corpus));
  const paths = Array.from({ length: repeat }, () => found).flat();
  const times = { turns: [] as number[], json: [] as number[] };
  let turns = 0;
  for (let round = -1; round < ROUNDS; round++) {
    const json = timed(() => parseLines(paths));
    turns = 0;
    const roots = rememberedRoots(projectRoots);
    const blocks = new BlockReader();
    const startedAt = performance.now();
    for (const path of paths) turns += await countTurns(path, roots, blocks);
    const read = performance.now() - startedAt;
    if (round < 0) continue;
    times.json.push(json);
    times.turns.push(read);
  }
  const what = `${paths.length} transcripts into ${turns.toLocaleString("en")} turns`;
  return [
    {
      what,
      ms: Math.min(...times.turns),
      baseline: "JSON.parse of every line",
      baselineMs: Math.min(...times.json),
    },
  ];
}

async function countTurns(path: string, roots: FindRoots, blocks: BlockReader): Promise<number> {
  let turns = 0;
  const read = await claudeCode.reader();
  for await (const step of read(path, { from: null, rootsOf: roots, redact: cleanText, blocks }))
    turns += step.turns.length;
  return turns;
}

/** Takes the bytes of each file to one string and that to lines, which is the fastest way there is in this language. */
export function parseLines(paths: readonly string[]): number {
  let parsed = 0;
  for (const path of paths) {
    for (const line of readFileSync(path, "utf8").split("\n")) {
      try {
        JSON.parse(line);
        parsed += 1;
      } catch {}
    }
  }
  return parsed;
}

function timed(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

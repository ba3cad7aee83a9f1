import { parseArgs } from "node:util";
import { measureHuge } from "./huge.ts";
import { measureIngest } from "./ingest.ts";
import { table } from "./measure.ts";
import { measurePrompt } from "./prompt.ts";
import { measureRead } from "./read.ts";
import { measureSearch } from "./search.ts";
import { measureStart } from "./start.ts";

/** `bun run bench [--corpus DIR] [part...]` prints each figure beside its baseline from the same run. */
const { values, positionals } = parseArgs({
  options: { corpus: { type: "string" } },
  allowPositionals: true,
});

const PARTS: Record<string, () => Promise<string>> = {
  start: async () => table("Start, on a small memory", await measureStart(values.corpus)),
  read: async () => table("Reading transcripts", await measureRead(values.corpus)),
  ingest: async () => table("Ingest", await measureIngest(values.corpus)),
  search: async () => table("Searching made-up memories", await measureSearch()),
  prompt: async () => table("A prompt's hook, on made-up memories", await measurePrompt()),
  huge: async () => table("A transcript of 2 GB", await measureHuge(values.corpus)),
};

/** What runs when nothing is named: all that takes minutes at most and little of the disk. */
const USUAL = Object.keys(PARTS).filter((part) => part !== "huge");

for (const part of positionals.length > 0 ? positionals : USUAL) {
  const measure = PARTS[part];
  if (!measure) throw new Error(`there is no part "${part}"; there are ${Object.keys(PARTS).join(", ")}`);
  process.stdout.write(await measure());
}

import { parseArgs } from "node:util";
import { measureIngest } from "./ingest.ts";
import { table } from "./measure.ts";
import { measureStart } from "./start.ts";

/** `bun run bench [--corpus DIR] [part...]` prints each figure beside its baseline from the same run. */
const { values, positionals } = parseArgs({
  options: { corpus: { type: "string" } },
  allowPositionals: true,
});

const PARTS: Record<string, () => Promise<string>> = {
  start: async () => table("Start, on a small memory", await measureStart(values.corpus)),
  ingest: async () => table("Ingest", await measureIngest(values.corpus)),
};

for (const part of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const measure = PARTS[part];
  if (!measure) throw new Error(`there is no part "${part}"; there are ${Object.keys(PARTS).join(", ")}`);
  process.stdout.write(await measure());
}

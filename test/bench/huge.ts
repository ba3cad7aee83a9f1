import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { discoverTranscripts } from "../../src/agents/claude-code/agent.ts";
import { Sandbox } from "../support/sandbox.ts";
import { measured, type Row, SAMPLE } from "./measure.ts";

const HUGE_BYTES = 2_000_000_000;
const UUID = /(?<="(?:uuid|parentUuid|promptId)":\s?")[\da-f]{8}/g;

/** Measures the text stage on one transcript of 2 GB: the largest one of the corpus, again and again with fresh uuids. */
export async function measureHuge(corpus: string = SAMPLE, bytes = HUGE_BYTES): Promise<Row[]> {
  await using sandbox = await Sandbox.create();
  await sandbox.run(["ingest", SAMPLE, "--db", join(sandbox.root, "warm.db")]);
  const paths = await Array.fromAsync(discoverTranscripts(corpus));
  const seed = paths.reduce((a, b) => (Bun.file(b).size > Bun.file(a).size ? b : a));
  const huge = join(sandbox.root, "5e550000-0000-4000-8000-000000000002.jsonl");
  const written = repeat(seed, huge, bytes);
  const args = (path: string, name: string) => [
    "ingest",
    path,
    "--db",
    join(sandbox.root, name),
    "--text-only",
  ];
  const once = await measured(sandbox, args(seed, "once.db"));
  const all = await measured(sandbox, args(huge, "huge.db"));
  const baseline = `the same once, ${(Bun.file(seed).size / 1e6).toFixed(0)} MB, ${(once.maxRss / 1e6).toFixed(0)} MB of memory`;
  return [
    {
      what: `text of one transcript of ${(written / 1e9).toFixed(2)} GB`,
      ...all,
      baseline,
      baselineMs: once.ms,
    },
  ];
}

/** Writes the file over and over, each time with other uuids; returns how many bytes came of it. */
function repeat(from: string, to: string, bytes: number): number {
  const text = readFileSync(from, "utf8");
  const file = openSync(to, "w");
  let written = 0;
  for (let round = 1; written < bytes; round++) {
    const fresh = text.replace(UUID, (start) =>
      ((Number.parseInt(start, 16) + round * 0x9e3779b1) >>> 0).toString(16).padStart(8, "0"),
    );
    written += writeSync(file, fresh.endsWith("\n") ? fresh : `${fresh}\n`);
  }
  closeSync(file);
  return written;
}

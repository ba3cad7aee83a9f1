import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { growHistory } from "./grown.ts";
import { measured, type Row, SAMPLE } from "./measure.ts";
import { parseLines } from "./read.ts";

/** Measures how long it takes until a large history can be searched by words, against `JSON.parse` of its every line. */
export async function measureTextStage(corpus: string = SAMPLE, gigabytes = 1): Promise<Row[]> {
  await using sandbox = await Sandbox.create();
  // What a first run extracts is not part of an ingest.
  await sandbox.run(["ingest", SAMPLE, "--db", join(sandbox.root, "warm.db")]);
  const history = join(sandbox.root, "history");
  const { paths, bytes } = await growHistory(corpus, history, gigabytes * 1e9);
  const startedAt = performance.now();
  parseLines(paths);
  const baselineMs = performance.now() - startedAt;
  const database = join(sandbox.root, "text.db");
  const text = await measured(sandbox, ["ingest", history, "--db", database, "--text-only"]);
  const { totals } = JSON.parse((await sandbox.run(["report", "--text", "--db", database, "--json"])).stdout);
  if (!(totals.turns > 0)) throw new Error("nothing was stored");
  const size = `${(bytes / 1e9).toFixed(2)} GB in ${paths.length.toLocaleString("en")} transcripts`;
  return [
    { what: `text and keywords of ${size}`, ...text, baseline: "JSON.parse of every line", baselineMs },
  ];
}

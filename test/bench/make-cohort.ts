import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { MULTILINGUAL } from "../../src/constants.ts";
import { COHORT_SCALE } from "../../src/recall/calibration.ts";
import { openBenchEmbedder } from "./memory.ts";

/**
 * `bun run make:cohort` embeds the general turns of `src/recall/turns.txt` and writes their vectors beside them. With
 * `MEMENTOR_EMBEDDING_MODEL` it takes the imported multilingual model.
 */
const FOLDER = resolve(import.meta.dir, "../../src/recall");

const turns = readFileSync(`${FOLDER}/turns.txt`, "utf8").trim().split("\n");
const embedder = await openBenchEmbedder("ingest");
const file = embedder.model.id === MULTILINGUAL.id ? "turns.multilingual.txt" : "turns.vectors.txt";
const bytes: number[] = [];
for (const turn of turns) {
  const vector = await embedder.embed(turn);
  for (const value of vector) bytes.push(Math.max(-127, Math.min(127, Math.round(COHORT_SCALE * value))));
}
await embedder.close();
await Bun.write(`${FOLDER}/${file}`, `${Buffer.from(Int8Array.from(bytes).buffer).toString("base64")}\n`);
process.stdout.write(`${turns.length} turns\n`);

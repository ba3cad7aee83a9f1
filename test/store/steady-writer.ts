import { MementorError } from "../../src/errors.ts";
import { batch, openStore, source, turn } from "./builders.ts";

/** Writes one turn after the other until it may not, then prints how many were stored and why it stopped. */
const [file = "", number = ""] = process.argv.slice(2);
const store = await openStore(file, { busyTimeoutMs: 20_000 });
const sessionId = `s${number}`;
for (let written = 0; ; written++) {
  const own = source({ path: `/transcripts/${sessionId}-${written}.jsonl`, sessionId });
  try {
    await store.ingest.write(batch([turn(written, `turn ${written}`, { sessionId })], { source: own }));
  } catch (error) {
    process.stdout.write(`${written} ${error instanceof MementorError ? error.code : error}\n`);
    break;
  }
  // Reads in between leave others time to write.
  for (let reads = 0; reads < 200; reads++) await store.search.totals();
  if (written === 0) process.stdout.write("started\n");
}
await store.close();

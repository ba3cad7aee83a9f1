import { batch, openNewStore, source, turn } from "./builders.ts";

/** Opens the database as one of many at once, and writes a turn of its own. */
const [file = "", number = ""] = process.argv.slice(2);
const store = await openNewStore(file, { busyTimeoutMs: 20_000 });
const sessionId = `s${number}`;
const own = source({ path: `/transcripts/${sessionId}.jsonl`, sessionId });
await store.ingest.write(batch([turn(0, `turn of process ${number}`, { sessionId })], { source: own }));
await store.close();

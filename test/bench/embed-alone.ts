import { Database } from "bun:sqlite";
import { createHost } from "../../src/host.ts";
import { Runtime } from "../../src/runtime.ts";

/** Embeds the chunks of a database and does nothing else: `bun embed-alone.ts <database>` prints the ms it took, loading included. */
const [file = ""] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
const texts = db
  .query<{ content: string }, []>("SELECT content FROM chunks GROUP BY content_hash ORDER BY min(id)")
  .all()
  .map(({ content }) => content);
const startedAt = performance.now();
const embedder = await new Runtime(createHost(process), { databaseFile: file }).openEmbedder("ingest");
let embedded = 0;
for await (const _ of embedder.embedMany(texts)) embedded += 1;
const ms = performance.now() - startedAt;
await embedder.close();
process.stdout.write(`${JSON.stringify({ ms, chunks: embedded })}\n`);
process.exit(0);

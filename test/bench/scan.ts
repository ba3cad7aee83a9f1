import { join } from "node:path";
import { search } from "../../src/recall/search.ts";
import { type Row, scratchDir } from "./measure.ts";
import { DIMENSIONS, open, searching, timed } from "./search.ts";
import { Synthetic } from "./synthetic.ts";

const SIZES = [10_000, 100_000];

/**
 * Measures what it costs to search vectors without sqlite-vec, which has no file for musl, and which macOS' own SQLite
 * does not load. Each figure stands beside the same search with it.
 */
export async function measureScan(sizes: readonly number[] = SIZES): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunks of sizes) {
    using scratch = scratchDir();
    const file = join(scratch.path, "memory.db");
    const writer = await open(file, "create");
    await new Synthetic(DIMENSIONS).fill(writer, chunks);
    await writer.close();
    const nearest = (backend: "scan" | "extension") =>
      searching(file, ({ search: store }, { meaning }) => store.nearestChunks(meaning, 200), backend);
    const whole = (backend: "scan" | "extension") =>
      searching(
        file,
        ({ search: store }, { text, meaning }) =>
          search({ query: text, limit: 8 }, { store, embed: async () => meaning }),
        backend,
      );
    const [scanned, extended, scannedAll, extendedAll] = await timed(
      nearest("scan"),
      nearest("extension"),
      whole("scan"),
      whole("extension"),
    );
    const size = `${chunks.toLocaleString("en")} chunks`;
    const baseline = "with sqlite-vec";
    rows.push(
      { what: `${size}, nearest 200`, ms: scanned, baseline, baselineMs: extended },
      { what: `${size}, whole search`, ms: scannedAll, baseline, baselineMs: extendedAll },
    );
  }
  return rows;
}

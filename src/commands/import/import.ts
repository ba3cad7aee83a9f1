import { resolve } from "node:path";
import { MementorError, toMementorError } from "../../errors.ts";
import { statIfExists } from "../../io/read.ts";
import { renderJson } from "../../render/json.ts";
import { besideDatabase, type Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite.ts";
import { ingestInto, lockWhenFree } from "../shared/ingest.ts";
import { ProgressBar } from "../shared/progress.ts";
import { withMemory } from "../shared/with-memory.ts";

export interface ImportOptions {
  from: string | undefined;
  textOnly: boolean;
  json: boolean;
}

/** Imports an exported memory, and creates the memory of this project if there is none. Returns the exit code. */
export async function importMemory(
  exported: string,
  { from, textOnly, json }: ImportOptions,
  given: Runtime,
): Promise<number> {
  const { host } = given;
  const file = resolve(host.cwd, exported);
  const runtime = await withMemory(given);
  const store = await runtime.openStore("create");
  const bar = new ProgressBar(host, {
    read: () => statIfExists(file)?.size ?? 0,
    embed: () => store.ingest.pendingCount(),
  });
  try {
    const report = await readInto(store, runtime, file, from ?? null, bar);
    const signal = host.interrupted();
    const { chunks } = await ingestInto(store, runtime, {
      paths: [],
      textOnly,
      waits: true,
      signal,
      hooks: {
        onStage: async (stage) => void (stage === "embed" && (await bar.begin(stage))),
        onProgress: (progress) => bar.advance(progress),
        onNoEmbedder: (error) =>
          host.stderr.write(`Continuing without vectors: ${toMementorError(error).message}\n`),
      },
    });
    bar.end();
    const { importJson, renderImport } = await import("../../render/import.ts");
    const imported = { ...report, embedded: chunks.embedded, pending: chunks.pending };
    host.stdout.write(json ? renderJson(importJson(imported)) : renderImport(imported));
    return report.invalid.count > 0 || !report.complete ? 1 : 0;
  } finally {
    await store.close();
  }
}

async function readInto(
  store: SqliteStore,
  runtime: Runtime,
  file: string,
  from: string | null,
  bar: ProgressBar,
) {
  const { importFile } = await import("../../import/import.ts");
  const { globTest } = await import("../../ingest/exclude.ts");
  const { cleanText } = await import("../../redact/clean.ts");
  const { config } = await runtime.config();
  const signal = runtime.host.interrupted();
  const lock = await lockWhenFree(besideDatabase(runtime.memory, "read.lock"), true, signal);
  if (!lock) throw new MementorError("db_locked", "interrupted while another mementor process was at work");
  try {
    await bar.begin("read");
    let tokenizer: ReturnType<Runtime["openTokenizer"]> | undefined;
    return await importFile(file, from, {
      store: store.ingest,
      exports: store.exports,
      tokenizer: () => (tokenizer ??= runtime.openTokenizer()),
      redact: cleanText,
      isPathExcluded: globTest(config.exclude.paths),
      onBytes: (done) => bar.advance({ stage: "read", done }),
      signal,
    });
  } finally {
    lock.release();
  }
}

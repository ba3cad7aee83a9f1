import { resolve } from "node:path";
import * as v from "valibot";
import { MementorError, toMementorError } from "../errors.ts";
import { importFile } from "../import/import.ts";
import { globTest } from "../ingest/exclude.ts";
import { statIfExists } from "../io/read.ts";
import { importJson, renderImport } from "../render/import.ts";
import { renderJson } from "../render/json.ts";
import { besideDatabase, type Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { cleanText } from "../text/clean.ts";
import type { RunCommand } from "./command.ts";
import { withMemory } from "./ingest.ts";
import { Flag, parseOptions } from "./options.ts";
import { ingestInto, lockWhenFree } from "./shared/ingest.ts";
import { ProgressBar } from "./shared/progress.ts";

const Options = v.object({
  from: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty("is empty"), v.maxLength(80, "is too long"))),
  textOnly: Flag,
  json: Flag,
});

export const run: RunCommand = async ({ args, options: typed }, given) => {
  const { from, textOnly, json } = parseOptions(Options, typed);
  const { host } = given;
  const file = resolve(host.cwd, args[0] ?? "");
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
        onNoEmbedder: (error) => host.stderr.write(`Without vectors: ${toMementorError(error).message}\n`),
      },
    });
    bar.end();
    const imported = { ...report, embedded: chunks.embedded, pending: chunks.pending };
    host.stdout.write(json ? renderJson(importJson(imported)) : renderImport(imported));
    return report.invalid.count > 0 || !report.complete ? 1 : 0;
  } finally {
    await store.close();
  }
};

async function readInto(
  store: SqliteStore,
  runtime: Runtime,
  file: string,
  from: string | null,
  bar: ProgressBar,
) {
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

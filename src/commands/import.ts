import { resolve } from "node:path";
import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { label } from "../command/schema.ts";
import { MementorError, toMementorError } from "../errors.ts";
import { statIfExists } from "../io/read.ts";
import { renderJson } from "../render/json.ts";
import { besideDatabase, type Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { withMemory } from "./ingest.ts";
import { ingestInto, lockWhenFree } from "./shared/ingest.ts";
import { ProgressBar } from "./shared/progress.ts";

export const command = defineCommand({
  name: "import",
  help: { group: "Look after", position: 5 },
  summary: "Take in what another memory exported, marked as foreign",
  arguments: { file: required("file", v.string()) },
  options: {
    from: {
      value: "name",
      description: "What its origin is called (default: what the file says)",
      schema: v.optional(label()),
    },
    textOnly: flag("Leave embedding for later; keywords work at once"),
    json: jsonOption,
  },
  examples: ["mementor import memory.jsonl", "mementor import memory.jsonl --from ada"],
  async run({ args, options: { from, textOnly, json } }, given) {
    const { host } = given;
    const file = resolve(host.cwd, args.file);
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
      const { importJson, renderImport } = await import("../render/import.ts");
      const imported = { ...report, embedded: chunks.embedded, pending: chunks.pending };
      host.stdout.write(json ? renderJson(importJson(imported)) : renderImport(imported));
      return report.invalid.count > 0 || !report.complete ? 1 : 0;
    } finally {
      await store.close();
    }
  },
});

async function readInto(
  store: SqliteStore,
  runtime: Runtime,
  file: string,
  from: string | null,
  bar: ProgressBar,
) {
  const { importFile } = await import("../import/import.ts");
  const { globTest } = await import("../ingest/exclude.ts");
  const { cleanText } = await import("../redact/clean.ts");
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

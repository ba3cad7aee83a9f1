import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { MementorError, toMementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";
import type { ExportContent } from "../../import/preview.ts";
import { statIfExists } from "../../io/read.ts";
import { isTrusted } from "../../project/trust.ts";
import { startWorker } from "../../project/worker.ts";
import { contentJson, importJson, renderContent, renderImport } from "../../render/import.ts";
import { renderJson } from "../../render/json.ts";
import { besideDatabase, type Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { ask, canAsk, type Decision } from "../shared/ask.ts";
import { declined } from "../shared/confirm.ts";
import { knownExclusions } from "../shared/exclusions.ts";
import { ingestInto, lockWhenFree } from "../shared/ingest.ts";
import { unlessInterrupted } from "../shared/interrupted.ts";
import { ProgressBar } from "../shared/progress.ts";
import { withMemory } from "../shared/with-memory.ts";

export interface ImportOptions {
  from: string | undefined;
  again: boolean;
  textOnly: boolean;
  now: boolean;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

/**
 * Imports an exported memory, `-` from stdin, and creates the memory of this project if there is none. On a terminal, shows
 * what the file holds and asks first. Returns the exit code.
 */
export async function importMemory(
  exported: string,
  options: ImportOptions,
  given: Runtime,
): Promise<number> {
  const { host } = given;
  if (exported !== STDIN) return importFrom(resolve(host.cwd, exported), options, given);
  // Who typed the export has nothing left to answer with.
  return withStandardInput(host, (file) => importFrom(file, { ...options, yes: true }, given));
}

async function importFrom(
  file: string,
  { from, again, textOnly, now, dryRun, yes, json }: ImportOptions,
  given: Runtime,
): Promise<number> {
  const { host } = given;
  const decision = await decide(file, { from, dryRun, json, asks: !yes && !json && canAsk(host) }, host);
  if (decision !== "yes") return dryRun ? 0 : declined(host, "Nothing was imported.");
  const runtime = await withMemory(given);
  await using store = await runtime.openStore("create");
  const bar = new ProgressBar(host, {
    read: () => statIfExists(file)?.size ?? 0,
    embed: () => store.ingest.pendingCount(),
  });
  const report = await readInto(store, runtime, { file, from: from ?? null, again }, bar);
  const signal = host.interrupted();
  const isLater = !now && !textOnly && embedsInBackground(runtime);
  const { chunks } = await ingestInto(store, runtime, {
    paths: [],
    textOnly: textOnly || isLater,
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
  if (isLater && chunks.pending > 0 && !signal.aborted) startWorker(host, runtime.project.root);
  const imported = { ...report, embedded: chunks.embedded, pending: chunks.pending, isLater, again };
  host.stdout.write(json ? renderJson(importJson(imported)) : renderImport(imported));
  return report.invalid.count > 0 || !report.complete ? 1 : 0;
}

/** Whether a worker may embed here: in a memory that its user enabled, and not in a database named with --db. */
function embedsInBackground({ memory, paths, project }: Runtime): boolean {
  return memory.directory !== null && isTrusted(paths, project.root);
}

/** Shows what the file holds and asks, where that is wanted. A dry run is a no. */
async function decide(
  file: string,
  { from, dryRun, json, asks }: Pick<ImportOptions, "from" | "dryRun" | "json"> & { asks: boolean },
  host: Host,
): Promise<Decision> {
  if (!dryRun && !asks) return "yes";
  const content = await preview(file, from);
  host.stdout.write(json ? renderJson(contentJson(content)) : renderContent(content));
  if (!dryRun) return ask(host, "Import this?", "yes");
  if (!json) host.stdout.write("Nothing was imported: this was a dry run.\n");
  return "no";
}

/** Returns what an export holds, under the name that its origin will have here. */
async function preview(file: string, from: string | undefined): Promise<ExportContent> {
  const { originName } = await import("../../import/import.ts");
  const { previewExport } = await import("../../import/preview.ts");
  const { cleanText } = await import("../../redact/clean.ts");
  const content = previewExport(file);
  return { ...content, origin: originName(from ?? null, content.origin, cleanText) };
}

async function readInto(
  store: SqliteStore,
  runtime: Runtime,
  { file, from, again }: { file: string; from: string | null; again: boolean },
  bar: ProgressBar,
) {
  const { importFile } = await import("../../import/import.ts");
  const { globTest } = await import("../../ingest/exclude.ts");
  const { cleanText } = await import("../../redact/clean.ts");
  const exclude = await knownExclusions(runtime);
  const signal = runtime.host.interrupted();
  using lock = await lockWhenFree(besideDatabase(runtime.memory, "read.lock"), true, signal);
  if (!lock) throw interruptedWhileWaiting();
  await bar.begin("read");
  let tokenizer: ReturnType<Runtime["openTokenizer"]> | undefined;
  return await importFile(file, from, {
    store: store.ingest,
    tokenizer: () => (tokenizer ??= runtime.openTokenizer()),
    redact: cleanText,
    model: await store.models.active(),
    isPathExcluded: globTest(exclude.paths),
    again,
    onBytes: (done) => bar.advance({ stage: "read", done }),
    signal,
  });
}

function interruptedWhileWaiting(): MementorError {
  return new MementorError("db_locked", "Nothing was imported: another mementor process was at work.", {
    hint: "Run the command again.",
  });
}

/** Stands for the standard input. */
const STDIN = "-";

/** Calls `use` with a file that holds the standard input, since an import reads it twice. Only its owner may read it. */
async function withStandardInput<T>(host: Host, use: (file: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(host.tempDir, "mementor-import-"));
  try {
    const file = join(directory, "standard-input");
    const copied = pipeline(host.stdin.chunks(), createWriteStream(file, { mode: 0o600 }));
    await unlessInterrupted(host, copied);
    return await use(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

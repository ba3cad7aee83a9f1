import { BGE_SMALL } from "../../embed/bge.ts";
import { changedFiles } from "../../embed/models/install.ts";
import { installedModel } from "../../embed/models/manifest.ts";
import { MementorError } from "../../errors.ts";
import type { ModelUse } from "../../ingest/model-list.ts";
import { reembed } from "../../ingest/reembed.ts";
import { besideDatabase } from "../../project/memory.ts";
import { startWorker } from "../../project/worker.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { lockWhenFree } from "../shared/ingest.ts";
import { ProgressBar } from "../shared/progress.ts";

/**
 * Makes an installed model the next one of the memory, and adds its vectors until it can become active.
 *
 * @throws `model_invalid` when its files have changed since it was imported.
 */
export async function useModel(
  model: { id: string; dimensions: number },
  runtime: Runtime,
  signal: AbortSignal,
  { inBackground = false }: { inBackground?: boolean } = {},
): Promise<ModelUse> {
  await checkFiles(model.id, runtime);
  await using store = await runtime.openStore("readwrite");
  const former = (await store.models.active())?.id ?? model.id;
  await store.models.prepare(model);
  if (former === model.id) return { id: model.id, outcome: "unchanged", former, embedded: 0, pending: 0 };
  if (inBackground) {
    startWorker(runtime.host, runtime.project.root);
    const pending = await store.ingest.pendingCount(model.id);
    return { id: model.id, outcome: "started", former, embedded: 0, pending };
  }
  const { outcome, embedded } = await fill(store, model.id, runtime, signal);
  return { id: model.id, outcome, former, embedded, pending: await store.ingest.pendingCount(model.id) };
}

async function checkFiles(id: string, { paths }: Runtime): Promise<void> {
  if (id === BGE_SMALL.id) return;
  const [changed] = await changedFiles(installedModel(paths.modelsDir, id));
  if (changed === undefined) return;
  throw new MementorError("model_invalid", `${changed} has changed since it was imported`, {
    hint: `Delete the model with "mementor model remove ${id} --files" and import it again.`,
  });
}

async function fill(store: SqliteStore, id: string, runtime: Runtime, signal: AbortSignal) {
  using lock = await lockWhenFree(besideDatabase(runtime.memory, "embed.lock"), true, signal);
  if (!lock) return { outcome: "stopped", embedded: 0 } as const;
  const bar = new ProgressBar(runtime.host, {
    read: () => 0,
    embed: () => store.ingest.pendingCount(id),
  });
  await bar.begin("embed");
  const done = await reembed({
    store: store.ingest,
    models: store.models,
    openEmbedder: (modelId) => runtime.openEmbedder("ingest", modelId),
    onEmbedded: (chunks) => bar.advance({ stage: "embed", done: chunks }),
    signal,
  });
  bar.end();
  if (done !== null) return done;
  // The process that held the lock has finished the work.
  const isActive = (await store.models.active())?.id === id;
  return { outcome: isActive ? "switched" : "cancelled", embedded: 0 } as const;
}

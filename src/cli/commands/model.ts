import * as v from "valibot";
import { MULTILINGUAL } from "../../constants.ts";
import { BGE_SMALL, POOLINGS } from "../../embed/embedder.ts";
import { isHubId } from "../../embed/models/hub.ts";
import { changedFiles, uninstallModel } from "../../embed/models/install.ts";
import { type InstalledModel, installedModel, installedModels } from "../../embed/models/manifest.ts";
import { MementorError } from "../../errors.ts";
import { type ListedModel, listModels, type ModelSwitchResult, reembed } from "../../ingest/vector-stage.ts";
import { statIfExists } from "../../io/read.ts";
import { besideDatabase } from "../../project/memory.ts";
import { startWorker } from "../../project/queue.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { StoredModel } from "../../store/stored.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  flag,
  jsonOption,
  labelSchema,
  type OptionValues,
  oneOf,
  optional,
  valued,
} from "../command-line/option.ts";
import { INTERRUPTED } from "../terminal/ask.ts";
import { ProgressBar } from "../terminal/progress.ts";
import { printResult } from "../terminal/view.ts";
import type { ImportOptions } from "./model/library.ts";

const modelOptions = {
  yes: flag("Download a model from the hub without asking; nothing else uses the network", "y"),
  name: valued("name", "Name of the imported model (default: its directory's name)", labelSchema()),
  pooling: valued(
    "pooling",
    "How tokens become one vector, if the model's files do not say: cls, mean (default) or last",
    oneOf(POOLINGS),
  ),
  queryPrefix: valued("text", "Text to put before a query, if the model's files do not say"),
  documentPrefix: valued("text", "Text to put before a stored text, if the model's files do not say"),
  background: flag("With use: return at once, and let the background worker embed"),
  files: flag("With remove: also delete its files, for all projects"),
  json: jsonOption,
};

type ModelOptions = OptionValues<typeof modelOptions>;

export const command = defineCommand({
  name: "model",
  help: { group: "For programs", position: 3 },
  summary: "List the embedding models, or use another one",
  arguments: {
    action: optional("action", oneOf(["list", "use", "import", "remove"])),
    target: optional("target", v.string()),
  },
  options: modelOptions,
  examples: [
    "mementor model list",
    "mementor model use multilingual --background  # many languages, from a release",
    "mementor model use ./multilingual-e5-small --query-prefix 'query: ' --document-prefix 'passage: '",
    "mementor model use Xenova/paraphrase-multilingual-MiniLM-L12-v2",
    "mementor model use bge-small-en-v1.5-int8      # back to the built-in one",
    "mementor model remove multilingual-e5-small --files",
  ],
  async run({ args: { action = "list", target }, options }, runtime) {
    if (action !== "list" && target !== undefined) return ACTIONS[action](target, options, runtime);
    if (action === "list" && target === undefined) return list(options, runtime);
    const problem = action === "list" ? "takes no target" : "needs a target";
    throw new MementorError("usage", `"mementor model ${action}" ${problem}.`, {
      hint: "Use list, use <id, directory or hub id>, import <directory> or remove <id>.",
    });
  },
});

/** The actions that need a target. */
const ACTIONS = { use, import: importModel, remove };

async function list({ json }: ModelOptions, runtime: Runtime): Promise<number> {
  const { modelJson, renderModels } = await import("./model/library.ts");
  const models = await modelsOf(runtime);
  return printResult(runtime, { json }, { models: models.map(modelJson) }, (_, screen) =>
    renderModels(models, screen),
  );
}

async function importModel(target: string, options: ModelOptions, runtime: Runtime): Promise<number> {
  const { importFrom, modelJson, renderImported } = await import("./model/library.ts");
  const imported = await importFrom(target, importOptionsOf(options), runtime);
  const model = await listed(imported.model.id, runtime);
  return printResult(runtime, options, { model: modelJson(model), imported: imported.isNew }, () =>
    renderImported(model, imported.isNew),
  );
}

/** Switches the memory to a model. Rejects with `not_found` or `usage` unless `target` names exactly one. */
async function use(target: string, options: ModelOptions, runtime: Runtime): Promise<number> {
  const { modelJson, renderImported, renderUse } = await import("./model/library.ts");
  const { stdout, interrupted } = runtime.host;
  const signal = interrupted();
  const found = await findModel(target, options, runtime);
  if (found.isNew && !options.json) stdout.write(renderImported(await listed(found.model.id, runtime), true));
  const done = await useModel(found.model, runtime, signal, { inBackground: options.background });
  const { outcome, embedded, pending } = done;
  printResult(
    runtime,
    options,
    { model: modelJson(await listed(done.id, runtime)), outcome, embedded, pending },
    () => renderUse(done),
  );
  if (outcome === "stopped" && signal.aborted)
    return typeof signal.reason === "number" ? signal.reason : INTERRUPTED;
  return outcome === "stopped" || outcome === "cancelled" ? 1 : 0;
}

/**
 * Removes a model's vectors and, on request, its files. Rejects with `not_found` for an unknown model, and with `model_invalid`
 * for the one in use.
 */
async function remove(target: string, { files, json }: ModelOptions, runtime: Runtime): Promise<number> {
  const { renderRemoved } = await import("./model/library.ts");
  const installed = installedAs(target, runtime);
  const id = installed?.id ?? target;
  const stored = (await storedModels(runtime)).find((model) => model.id === id);
  if (!stored && !installed && id !== BGE_SMALL.id) throw unknownModel(target);
  if (stored?.active) {
    const other = id === BGE_SMALL.id ? MULTILINGUAL.alias : BGE_SMALL.id;
    throw new MementorError("model_invalid", `This memory uses ${id}.`, {
      hint: `Switch to another model first, e.g. "mementor model use ${other}".`,
    });
  }
  if (stored) {
    const store = await runtime.openStore("readwrite");
    await store.models.remove(id).finally(() => store.close());
  }
  if (files && installed) uninstallModel(installed);
  const removed = { id, vectors: stored?.vectors ?? 0, files: files && installed !== null };
  return printResult(runtime, { json }, removed, renderRemoved);
}

/** Distinguishes a path from a name. A bare name never means a folder in the working directory, which may come from a clone. */
const PATH = /^(?:\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:[/\\])/;

/** Finds a model by the path of its directory or archive, by its id or name in the library, or by its hub id, in this order. */
async function findModel(
  target: string,
  options: ModelOptions,
  runtime: Runtime,
): Promise<{ model: { id: string; dimensions: number }; isNew: boolean }> {
  const { importFrom, importFromHub, importMultilingual } = await import("./model/library.ts");
  const importOptions = importOptionsOf(options);
  if (PATH.test(target)) return importFrom(target, importOptions, runtime);
  const known = target === BGE_SMALL.id ? BGE_SMALL : installedAs(target, runtime);
  if (known) {
    const { name, override } = importOptions;
    if ([name, ...Object.values(override)].every((given) => given === undefined))
      return { model: known, isNew: false };
    throw new MementorError("usage", `${known.id} is already on this machine, with its own options.`, {
      hint: "To use other options, import its directory again with them. That makes a second model.",
    });
  }
  if (target === MULTILINGUAL.alias) return importMultilingual(importOptions, runtime);
  if (isHubId(target)) return importFromHub(target, importOptions, runtime);
  throw unknownModel(target);
}

/** Returns the installed model with this id, or the only one with this name or repository. */
function installedAs(target: string, { paths }: Runtime): InstalledModel | null {
  const all = installedModels(paths.modelsDir);
  if (target === MULTILINGUAL.alias) return all.find(({ id }) => id === MULTILINGUAL.id) ?? null;
  const exact = all.find(({ id }) => id === target);
  if (exact) return exact;
  const named = all.filter(
    ({ name, source }) => name === target || (source.kind === "hub" && source.repository === target),
  );
  if (named.length <= 1) return named[0] ?? null;
  throw new MementorError("usage", `There are ${named.length} models called "${target}".`, {
    hint: `Use one of these ids: ${named.map(({ id }) => id).join(", ")}.`,
  });
}

function importOptionsOf({ name, pooling, queryPrefix, documentPrefix, yes }: ModelOptions): ImportOptions {
  return { name, override: { pooling, queryPrefix, documentPrefix }, yes };
}

async function modelsOf(runtime: Runtime): Promise<ListedModel[]> {
  return listModels(BGE_SMALL, installedModels(runtime.paths.modelsDir), await storedModels(runtime));
}

async function listed(id: string, runtime: Runtime): Promise<ListedModel> {
  const model = (await modelsOf(runtime)).find((each) => each.id === id);
  if (model) return model;
  throw unknownModel(id);
}

/** Returns the models in the memory; empty when there is no memory yet. */
async function storedModels(runtime: Runtime): Promise<StoredModel[]> {
  if (!statIfExists(runtime.memory.databaseFile)) return [];
  const store = await runtime.openStore("readonly");
  return store.models.list().finally(() => store.close());
}

function unknownModel(target: string): MementorError {
  return new MementorError("not_found", `There is no model "${target}" on this machine.`, {
    hint: 'Run "mementor model list" for a list. To add a model, give the path of its directory (./name) or its hub id (owner/name).',
  });
}

/**
 * Makes an installed model the memory's next one, and embeds with it until it can become active.
 *
 * @throws `model_invalid` when its files have changed since it was imported.
 */
async function useModel(
  model: { id: string; dimensions: number },
  runtime: Runtime,
  signal: AbortSignal,
  { inBackground = false }: { inBackground?: boolean } = {},
): Promise<ModelSwitchResult> {
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
  const { lockWhenFree } = await import("../ingest.ts");
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

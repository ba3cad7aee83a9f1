import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { oneLine } from "../../../agents/notices.ts";
import { MULTILINGUAL } from "../../../constants.ts";
import { isArchive, openModelArchive } from "../../../embed/models/archive.ts";
import { copyModel, nameOfDirectory } from "../../../embed/models/choose.ts";
import { downloadModel, downloadOfRelease, HUB_URL, type HubAccess } from "../../../embed/models/hub.ts";
import { installModel, probeModel } from "../../../embed/models/install.ts";
import { type InstalledModel, installedModels, type ModelOrigin } from "../../../embed/models/manifest.ts";
import type { SettingsOverride } from "../../../embed/models/settings.ts";
import { MementorError } from "../../../errors.ts";
import type { Host } from "../../../host.ts";
import type { ListedModel, ModelSwitchResult } from "../../../ingest/vector-stage.ts";
import { statIfExists } from "../../../io/read.ts";
import { nextModelNote } from "../../../recall/next-model.ts";
import type { Runtime } from "../../../runtime.ts";
import { multilingualAddress, multilingualOnDisk } from "../../../setup/program/installation.ts";
import { plural } from "../../../text/numbers.ts";
import { confirm } from "../../terminal/ask.ts";
import { renderList } from "../../terminal/list.ts";
import { overwriteLine, type Progress, renderProgress } from "../../terminal/progress.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderBytes, renderFacts } from "../../terminal/table.ts";

/** The user's options for a model to import. */
export interface ImportOptions {
  name: string | undefined;
  override: SettingsOverride;
  yes: boolean;
  /** Id of the only acceptable model; any other is refused before it runs. */
  onlyId?: string;
}

/** An imported model, and whether it was not on this machine before. */
interface ImportedModel {
  model: InstalledModel;
  isNew: boolean;
}

/** Copies a model from a directory, or unpacks it from an archive, into the user's library. */
export async function importFrom(
  typed: string,
  options: ImportOptions,
  runtime: Runtime,
): Promise<ImportedModel> {
  const path = resolve(runtime.host.cwd, typed);
  if (isArchive(path) && !statIfExists(path)?.isDirectory()) {
    const archive = await openModelArchive(path);
    return install(runtime, archive.name, options, async (staging) => {
      await archive.write(staging);
      return { kind: "directory", path };
    });
  }
  return install(runtime, nameOfDirectory(path), options, async (staging) => {
    copyModel(path, staging);
    return { kind: "directory", path };
  });
}

/**
 * Downloads a model from the hub into the user's library, after the user has confirmed.
 *
 * @throws `usage` when the user does not confirm.
 */
export async function importFromHub(
  repository: string,
  options: ImportOptions,
  runtime: Runtime,
): Promise<ImportedModel> {
  const { host } = runtime;
  const endpoint = endpointOf(host.env.HF_ENDPOINT);
  await confirmDownload(repository, endpoint, options, host);
  const [, name = repository] = repository.split("/");
  return install(runtime, name, options, async (staging) => {
    const revision = await withProgress(host, repository, endpoint, (access) =>
      downloadModel(repository, staging, access),
    );
    return { kind: "hub", repository, revision };
  });
}

/**
 * Takes the model for many languages from this machine, or downloads it from a release after the user has confirmed.
 *
 * @throws `not_found` when no place is known, `usage` when the user does not confirm or gives options of its own,
 * `model_invalid` when it is another model.
 */
export async function importMultilingual(given: ImportOptions, runtime: Runtime): Promise<ImportedModel> {
  if ([given.name, ...Object.values(given.override)].some((value) => value !== undefined))
    throw new MementorError("usage", `${MULTILINGUAL.alias} is one model, with its own options.`, {
      hint: "To use other options, import its archive by its path with them. That makes a second model.",
    });
  const options = { ...given, onlyId: MULTILINGUAL.id };
  const { host } = runtime;
  const baseUrl = host.env.MEMENTOR_BASE_URL;
  const here = multilingualOnDisk({ ...host, onPath: null }, baseUrl);
  if (here !== null) return importFrom(here, options, runtime);
  const address = multilingualAddress(host, baseUrl);
  if (address === null)
    throw new MementorError("not_found", `There is no ${MULTILINGUAL.archive} on this machine.`, {
      hint: "Put it beside the program, or set MEMENTOR_BASE_URL to the directory or the address of a release.",
    });
  await confirmDownload(MULTILINGUAL.archive, address, options, host);
  const folder = mkdtempSync(join(tmpdir(), "mementor-model-"));
  try {
    const archive = await withProgress(host, MULTILINGUAL.archive, address, (access) =>
      downloadOfRelease(MULTILINGUAL.archive, folder, access),
    );
    return await importFrom(archive, options, runtime);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks for consent to use the network. Throws `usage` if the user declines or cannot be asked. */
async function confirmDownload(
  what: string,
  endpoint: string,
  { yes }: ImportOptions,
  host: Host,
): Promise<void> {
  const hint = 'Add "--yes" to let mementor use the network this once.';
  if (!yes && !(await confirm(host, renderDownloadQuestion(what, endpoint), hint)))
    throw new MementorError("usage", "Nothing was downloaded.");
}

/** Runs a download, with a progress bar on a terminal. */
async function withProgress<T>(
  host: Host,
  what: string,
  endpoint: string,
  download: (access: HubAccess) => Promise<T>,
): Promise<T> {
  const startedAt = host.elapsedMs();
  if (!host.stderr.isTerminal) host.stderr.write(`Downloading ${what} from ${endpoint}\n`);
  return download({
    // Verifies certificates even if a variable tells the runtime not to.
    fetch: (url, init) => fetch(url, { ...init, tls: { rejectUnauthorized: true } }),
    endpoint,
    signal: host.interrupted(),
    onProgress({ file, ...progress }) {
      if (!host.stderr.isTerminal) return;
      const elapsedMs = host.elapsedMs() - startedAt;
      host.stderr.write(overwriteLine(renderDownload(file, { ...progress, elapsedMs })));
    },
  }).finally(() => host.stderr.isTerminal && host.stderr.write(overwriteLine("")));
}

/** Returns the address of the hub, or of a mirror in `HF_ENDPOINT`, which the hub's own tools use, too. */
function endpointOf(variable: string | undefined): string {
  return variable && /^https?:\/\//.test(variable) ? variable.replace(/(?<!\/)\/+$/, "") : HUB_URL;
}

async function install(
  runtime: Runtime,
  name: string,
  options: ImportOptions,
  retrieve: (staging: string) => Promise<ModelOrigin>,
): Promise<ImportedModel> {
  const { host, paths } = runtime;
  const before = new Set(installedModels(paths.modelsDir).map(({ id }) => id));
  const files = await runtime.assets();
  const log = await runtime.log();
  const { runtime: wanted } = (await runtime.config()).config.embedding;
  const warn = (message: string) => log.warn("embedder", { message });
  const model = await installModel({
    library: paths.modelsDir,
    name: options.name ?? name,
    onlyId: options.onlyId,
    override: options.override,
    retrieve,
    probe: (candidate) => probeModel(candidate, { files, runtime: wanted, warn }),
    now: host.now().toISOString(),
  });
  return { model, isNew: !before.has(model.id) };
}

/** Returns a model for `--json`. */
export function modelJson(model: ListedModel) {
  const { use } = model;
  return {
    id: model.id,
    state: model.state,
    built_in: model.builtIn,
    available: use !== null,
    source: model.source,
    dimensions: model.dimensions,
    max_tokens: use?.maxTokens ?? null,
    pooling: use?.pooling ?? null,
    query_prefix: use?.queryPrefix ?? null,
    document_prefix: use?.documentPrefix ?? null,
    bytes: use?.bytes ?? null,
    vectors: model.vectors,
    pending: model.pending,
  };
}

const STATES: Record<ListedModel["state"], string> = {
  active: "active",
  next: "preparing",
  kept: "kept",
  unused: "",
};

/** Renders the models for a terminal. */
export function renderModels(models: readonly ListedModel[], screen: Screen): string {
  const { style } = screen;
  return renderList(
    [
      { title: "MODEL", paint: style.bold },
      { title: "STATE", paint: style.cyan },
      { title: "DIMENSIONS", align: "right", isOptional: true },
      { title: "TOKENS", align: "right", isOptional: true },
      { title: "VECTORS", align: "right", isOptional: true },
      { title: "WAITING", align: "right", isOptional: true },
      { title: "FROM", cut: "middle", isOptional: true, paint: style.dim },
    ],
    models.map(({ id, state, dimensions, use, vectors, pending, source }) => [
      id,
      STATES[state],
      `${dimensions}`,
      use ? `${use.maxTokens}` : "",
      vectors === null ? "" : `${vectors}`,
      pending === null ? "" : `${pending}`,
      use === null ? "not on this machine" : source,
    ]),
    screen,
  );
}

/** Renders the facts about an imported model. */
export function renderImported({ id, dimensions, use, source }: ListedModel, isNew: boolean): string {
  const prefixes = [use?.queryPrefix, use?.documentPrefix].map((prefix) => (prefix ? `"${prefix}"` : "none"));
  return renderFacts([
    ["Model", [`${id} (${isNew ? "imported" : "already installed"})`]],
    ["From", [oneLine(source)]],
    ["Vectors", [`${dimensions} dimensions, tokens pooled by ${use?.pooling ?? "?"}`]],
    ["Texts", [`truncated to ${use?.maxTokens ?? "?"} tokens`]],
    ["Prefixes", [oneLine(`for queries: ${prefixes[0]}; for stored texts: ${prefixes[1]}`)]],
    ["Size", [renderBytes(use?.bytes ?? 0)]],
  ]);
}

/** Renders the outcome of a change of model. */
export function renderUse({ id, outcome, former, embedded, pending }: ModelSwitchResult): string {
  switch (outcome) {
    case "unchanged":
      return `${id} is already active.\n`;
    case "switched":
      return `${id} is now active; embedded ${plural(embedded, "chunk")}. The vectors of ${former} are kept: "mementor model use ${former}" switches back, "mementor model remove ${former}" deletes them.\n`;
    case "started":
      return `The memory changes to ${id}: ${nextModelNote({ pending })}.\n`;
    case "cancelled":
      return `Another model was chosen in the meantime; the vectors of ${id} are kept.\n`;
    case "stopped":
      return `Interrupted: ${former} stays active, with ${plural(pending, "chunk")} still to embed with ${id}. Run the same command to continue; the hooks also continue in the background.\n`;
  }
}

/** Renders what was removed. */
export function renderRemoved(removed: { id: string; vectors: number; files: boolean }): string {
  const { id, vectors, files } = removed;
  const gone = [...(vectors > 0 ? [plural(vectors, "vector")] : []), ...(files ? ["its files"] : [])];
  return `${id}: ${gone.join(" and ") || "nothing to remove in this memory; add --files to delete the model from this machine"}${gone.length > 0 ? " removed" : ""}.\n`;
}

/** Renders the question before a download. */
function renderDownloadQuestion(repository: string, endpoint: string): string {
  return `Download the model ${oneLine(repository)} from ${oneLine(endpoint)}? It is the only time that mementor uses the network.`;
}

/** Renders the progress of a download as one line, without a line break. */
function renderDownload(file: string, progress: Pick<Progress, "done" | "total" | "elapsedMs">): string {
  const unit = `${renderBytes(progress.total)}, ${oneLine(file)}`;
  return renderProgress({ ...progress, label: "Download", unit });
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isArchive, openModelArchive } from "../../../embed/models/archive.ts";
import { copyModel, nameOfDirectory } from "../../../embed/models/directory.ts";
import { downloadModel, downloadOfRelease, HUB, type HubAccess } from "../../../embed/models/hub.ts";
import { installModel } from "../../../embed/models/install.ts";
import { type InstalledModel, installedModels, type ModelOrigin } from "../../../embed/models/manifest.ts";
import { MULTILINGUAL } from "../../../embed/models/multilingual.ts";
import { probeModel } from "../../../embed/models/probe.ts";
import type { SettingsOverride } from "../../../embed/models/settings.ts";
import { MementorError } from "../../../errors.ts";
import type { Host } from "../../../host.ts";
import { statIfExists } from "../../../io/read.ts";
import { renderDownload, renderDownloadQuestion } from "../../../render/model.ts";
import { overwriteLine } from "../../../render/progress.ts";
import type { Runtime } from "../../../runtime.ts";
import { multilingualAddress, multilingualOnDisk } from "../../../setup/installation.ts";
import { confirm } from "../../terminal/ask.ts";

/** The user's options for a model to import. */
export interface ImportOptions {
  name: string | undefined;
  override: SettingsOverride;
  yes: boolean;
}

/** An imported model, and whether it was not on this machine before. */
export interface ImportedModel {
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
    const archive = openModelArchive(path);
    return install(runtime, archive.name, options, async (staging) => {
      archive.write(staging);
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
  await agree(repository, endpoint, options, host);
  const [, name = repository] = repository.split("/");
  return install(runtime, name, options, async (staging) => {
    const revision = await showing(host, repository, endpoint, (access) =>
      downloadModel(repository, staging, access),
    );
    return { kind: "hub", repository, revision };
  });
}

/**
 * Takes the model for many languages from this machine, or downloads it from a release after the user has confirmed.
 *
 * @throws `not_found` when no place is known, `usage` when the user does not confirm.
 */
export async function importMultilingual(options: ImportOptions, runtime: Runtime): Promise<ImportedModel> {
  const { host } = runtime;
  const baseUrl = host.env.MEMENTOR_BASE_URL;
  const here = multilingualOnDisk({ ...host, onPath: null }, baseUrl);
  if (here !== null) return importFrom(here, options, runtime);
  const address = multilingualAddress(host, baseUrl);
  if (address === null)
    throw new MementorError("not_found", `There is no ${MULTILINGUAL.archive} on this machine.`, {
      hint: "Put it beside the program, or set MEMENTOR_BASE_URL to the directory or the address of a release.",
    });
  await agree(MULTILINGUAL.archive, address, options, host);
  const folder = mkdtempSync(join(tmpdir(), "mementor-model-"));
  try {
    const archive = await showing(host, MULTILINGUAL.archive, address, (access) =>
      downloadOfRelease(MULTILINGUAL.archive, folder, access),
    );
    return await importFrom(archive, options, runtime);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks before the network is used. Throws `usage` when the user does not want it, or cannot be asked. */
async function agree(what: string, endpoint: string, { yes }: ImportOptions, host: Host): Promise<void> {
  const nobody = new MementorError("usage", "Nothing was downloaded: there is no terminal to confirm on.", {
    hint: 'Add "--yes" to let mementor use the network this once.',
  });
  if (!yes && !(await confirm(host, renderDownloadQuestion(what, endpoint), nobody)))
    throw new MementorError("usage", "Nothing was downloaded.");
}

/** Runs a download, and shows on a terminal how far it is. */
async function showing<T>(
  host: Host,
  what: string,
  endpoint: string,
  download: (access: HubAccess) => Promise<T>,
): Promise<T> {
  const startedAt = host.elapsedMs();
  if (!host.stderr.isTerminal) host.stderr.write(`Downloading ${what} from ${endpoint}\n`);
  return download({
    fetch: (url, init) => fetch(url, init),
    endpoint,
    signal: host.interrupted(),
    onProgress({ file, ...progress }) {
      if (!host.stderr.isTerminal) return;
      const elapsedMs = host.elapsedMs() - startedAt;
      host.stderr.write(overwriteLine(renderDownload(file, { ...progress, elapsedMs })));
    },
  }).finally(() => host.stderr.isTerminal && host.stderr.write(overwriteLine("")));
}

/** Returns the address of the hub. As for the hub's own tools, `HF_ENDPOINT` names a mirror. */
function endpointOf(variable: string | undefined): string {
  return variable && /^https?:\/\//.test(variable) ? variable.replace(/(?<!\/)\/+$/, "") : HUB;
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
    override: options.override,
    retrieve,
    probe: (candidate) => probeModel(candidate, { files, runtime: wanted, warn }),
    now: host.now().toISOString(),
  });
  return { model, isNew: !before.has(model.id) };
}

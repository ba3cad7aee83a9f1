import { resolve } from "node:path";
import { copyModel, nameOfDirectory } from "../../embed/models/directory.ts";
import { downloadModel, HUB } from "../../embed/models/hub.ts";
import { installModel } from "../../embed/models/install.ts";
import { type InstalledModel, installedModels, type ModelOrigin } from "../../embed/models/manifest.ts";
import { probeModel } from "../../embed/models/probe.ts";
import type { SettingsOverride } from "../../embed/models/settings.ts";
import { MementorError } from "../../errors.ts";
import { renderDownload, renderDownloadQuestion } from "../../render/model.ts";
import { overwriteLine } from "../../render/progress.ts";
import type { Runtime } from "../../runtime.ts";
import { confirm } from "../shared/confirm.ts";

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

/** Copies a model from a directory into the user's library. */
export function importDirectory(
  typed: string,
  options: ImportOptions,
  runtime: Runtime,
): Promise<ImportedModel> {
  const path = resolve(runtime.host.cwd, typed);
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
  const question = renderDownloadQuestion(repository, endpoint);
  const nobody = new MementorError("usage", "Nothing was downloaded: there is no terminal to confirm on.", {
    hint: 'Add "--yes" to let mementor use the network this once.',
  });
  if (!options.yes && !(await confirm(host, question, nobody)))
    throw new MementorError("usage", "Nothing was downloaded.");
  const startedAt = host.elapsedMs();
  if (!host.stderr.isTerminal) host.stderr.write(`Downloading ${repository} from ${endpoint}\n`);
  const [, name = repository] = repository.split("/");
  return install(runtime, name, options, async (staging) => {
    const revision = await downloadModel(repository, staging, {
      fetch: (url, init) => fetch(url, init),
      endpoint,
      signal: host.interrupted(),
      onProgress(progress) {
        if (!host.stderr.isTerminal) return;
        const elapsedMs = host.elapsedMs() - startedAt;
        host.stderr.write(overwriteLine(renderDownload({ ...progress, elapsedMs })));
      },
    }).finally(() => host.stderr.isTerminal && host.stderr.write(overwriteLine("")));
    return { kind: "hub", repository, revision };
  });
}

/** Returns the address of the hub. As for the hub's own tools, `HF_ENDPOINT` names a mirror. */
function endpointOf(variable: string | undefined): string {
  return variable && /^https?:\/\//.test(variable) ? variable.replace(/\/+$/, "") : HUB;
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

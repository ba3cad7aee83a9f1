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

/** What the user may say about a model that is brought in. */
export interface Bringing {
  name: string | undefined;
  override: SettingsOverride;
  yes: boolean;
}

/** A model that is on this machine now, and whether it was not before. */
export interface Brought {
  model: InstalledModel;
  isNew: boolean;
}

/** Copies a model from a directory into the user's library. */
export function importDirectory(typed: string, bringing: Bringing, runtime: Runtime): Promise<Brought> {
  const path = resolve(runtime.host.cwd, typed);
  return install(runtime, nameOfDirectory(path), bringing, async (staging) => {
    copyModel(path, staging);
    return { kind: "directory", path };
  });
}

/** Downloads a model from the hub into the user's library, once the user has said yes. */
export async function importFromHub(
  repository: string,
  bringing: Bringing,
  runtime: Runtime,
): Promise<Brought> {
  const { host } = runtime;
  const endpoint = endpointOf(host.env.HF_ENDPOINT);
  const question = renderDownloadQuestion(repository, endpoint);
  const nobody = new MementorError("usage", "There is nobody to ask, so nothing was downloaded.", {
    hint: 'Say "--yes" to let mementor use the network this once.',
  });
  if (!bringing.yes && !(await confirm(host, question, nobody)))
    throw new MementorError("usage", "Nothing was downloaded.");
  const startedAt = host.elapsedMs();
  if (!host.stderr.isTerminal) host.stderr.write(`Downloading ${repository} from ${endpoint}\n`);
  const [, name = repository] = repository.split("/");
  return install(runtime, name, bringing, async (staging) => {
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

/** `HF_ENDPOINT` names a mirror, as for the hub's own tools. */
function endpointOf(variable: string | undefined): string {
  return variable && /^https?:\/\//.test(variable) ? variable.replace(/\/+$/, "") : HUB;
}

async function install(
  runtime: Runtime,
  name: string,
  bringing: Bringing,
  retrieve: (staging: string) => Promise<ModelOrigin>,
): Promise<Brought> {
  const { host, paths } = runtime;
  const before = new Set(installedModels(paths.modelsDir).map(({ id }) => id));
  const files = await runtime.assets();
  const log = await runtime.log();
  const { runtime: wanted } = (await runtime.config()).config.embedding;
  const warn = (message: string) => log.warn("embedder", { message });
  const model = await installModel({
    library: paths.modelsDir,
    name: bringing.name ?? name,
    override: bringing.override,
    retrieve,
    probe: (candidate) => probeModel(candidate, { files, runtime: wanted, warn }),
    now: host.now().toISOString(),
  });
  return { model, isNew: !before.has(model.id) };
}

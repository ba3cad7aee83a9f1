import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { enable } from "../../src/cli/commands/enable/enable.ts";
import type { EnableOptions } from "../../src/cli/commands/enable/options.ts";
import { Runtime } from "../../src/runtime.ts";
import { emptyDatabases } from "./empty-database.ts";
import { createHashEmbedder } from "./hash-embedder.ts";
import { hostIn } from "./host.ts";
import { BINARY, type Sandbox } from "./sandbox.ts";

/** What `enable` sees of the machine, but for the model, which it loads only to see that it can be loaded. */
class WithoutModel extends Runtime {
  override renewed(cwd = this.host.cwd): Runtime {
    return new WithoutModel(this.host, { cwd });
  }

  /** A new memory gets a copy of an empty database, under its own name: a schema takes long to create. */
  override async openStore(...[mode, options]: Parameters<Runtime["openStore"]>) {
    const { databaseFile } = this.memory;
    if (mode !== "create" || existsSync(databaseFile) || !existsSync(dirname(databaseFile)))
      return super.openStore(mode, options);
    await putEmptyDatabase(databaseFile);
    return super.openStore(mode, { ...options, adopt: true });
  }

  override openEmbedder() {
    return Promise.resolve(createHashEmbedder());
  }
}

const putEmptyDatabase = emptyDatabases((file) => {
  const home = dirname(file);
  const { host } = hostIn({ argv: [], cwd: home, homeDir: home, now: new Date() });
  return new Runtime(host, { databaseFile: file }).openStore("create");
});

/**
 * Leaves a sandbox's project, or another directory, as `mementor enable --no-history` of the binary does, in a tenth of its
 * work: for tests of what comes after it.
 */
export async function enabled(
  sandbox: Sandbox,
  cwd = sandbox.project,
  options: Partial<EnableOptions> = {},
): Promise<void> {
  const { runtime, written } = withoutModel(sandbox, cwd);
  const exitCode = await enable({ ...NO_HISTORY, ...options }, runtime);
  if (exitCode !== 0) throw new Error(`enable in ${cwd}: ${written.stderr}`);
}

/** What a command of the binary sees in a sandbox, for commands that run in this process. */
export function withoutModel(sandbox: Sandbox, cwd = sandbox.project) {
  const env = sandbox.env();
  const { host, written } = hostIn({ argv: [], cwd, homeDir: sandbox.home, now: new Date(), env });
  const own = { self: [BINARY], platform: process.platform, uid: process.getuid?.() ?? null };
  return { runtime: new WithoutModel({ ...host, ...own }), written };
}

const NO_HISTORY: EnableOptions = {
  for: undefined,
  mcp: false,
  approve: true,
  opencodePlugin: false,
  scope: undefined,
  history: false,
  yes: false,
  adopt: false,
  adoptHistory: false,
  adoptFrom: undefined,
  dryRun: false,
  json: false,
};

import { enable } from "../../src/commands/enable/enable.ts";
import { Runtime } from "../../src/runtime.ts";
import { createHashEmbedder } from "./hash-embedder.ts";
import { hostIn } from "./host.ts";
import { BINARY, type Sandbox } from "./sandbox.ts";

/** What `enable` sees of the machine, but for the model, which it loads only to see that it can be loaded. */
class WithoutModel extends Runtime {
  override renewed(cwd = this.host.cwd): Runtime {
    return new WithoutModel(this.host, { cwd });
  }

  override openEmbedder() {
    return Promise.resolve(createHashEmbedder());
  }
}

/**
 * Leaves a sandbox's project, or another directory, as `mementor enable --no-history` of the binary does, in a tenth of its
 * work: for tests of what comes after it.
 */
export async function enabled(sandbox: Sandbox, cwd = sandbox.project): Promise<void> {
  const env = sandbox.env();
  const { host, written } = hostIn({ argv: [], cwd, homeDir: sandbox.home, now: new Date(), env });
  const runtime = new WithoutModel({ ...host, self: [BINARY], platform: process.platform });
  const exitCode = await enable(NO_HISTORY, runtime);
  if (exitCode !== 0) throw new Error(`enable in ${cwd}: ${written.stderr}`);
}

const NO_HISTORY = {
  for: undefined,
  mcp: false,
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

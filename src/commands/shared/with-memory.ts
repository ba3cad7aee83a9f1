import { registerMemory } from "../../project/claim.ts";
import { ensureDirectoryOf } from "../../project/memory.ts";
import type { Runtime } from "../../runtime.ts";

/** Returns the runtime of the memory to write. Creates and registers the memory if there is none. */
export async function withMemory(runtime: Runtime): Promise<Runtime> {
  const { memory, paths, project, host } = runtime;
  if (memory.directory === null) {
    ensureDirectoryOf(memory.databaseFile);
    return runtime;
  }
  if ((await runtime.origin()) !== "none") return runtime;
  registerMemory(paths, project.root, { now: host.now(), settings: [], enables: false });
  return runtime.renewed();
}

import type { Host } from "../host.ts";
import { claimMemory, trustOf } from "../project/registry.ts";
import { Runtime } from "../runtime.ts";
import type { HookPayload } from "./payload.ts";

/** Opens the runtime of the project that a hook is called for; null where the user did not enable it, or it is not ours. */
export function memoryOf(host: Host, payload: HookPayload): Runtime | null {
  const runtime = new Runtime(host, { cwd: payload.cwd ?? host.cwd });
  return trustOf(runtime.paths.configDir, runtime.project.root) === "trusted" ? runtime : null;
}

/** The same, making the memory of a project that is enabled and has none yet. */
export function memoryToWrite(host: Host, payload: HookPayload): Runtime | null {
  const runtime = new Runtime(host, { cwd: payload.cwd ?? host.cwd });
  const { configDir } = runtime.paths;
  const { root } = runtime.project;
  if (trustOf(configDir, root) === "new") claimMemory(configDir, root, host.now());
  return trustOf(configDir, root) === "trusted" ? runtime : null;
}

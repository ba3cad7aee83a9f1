import { statIfExists } from "../io/read.ts";
import { registerMemory } from "../project/claim.ts";
import { pendingHookCalls, takeHookCalls } from "../project/hook-calls.ts";
import { ensureDirectoryOf } from "../project/memory.ts";
import { isTrusted } from "../project/trust.ts";
import type { Runtime } from "../runtime.ts";
import type { ReadStore } from "../store/store.ts";
import type { EmptyMemory } from "./terminal/screen.ts";

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

/** Rejects with `not_found` if `--db` names a file that does not exist, as opening it does. */
export async function requireNamedDatabase(runtime: Runtime): Promise<void> {
  const { directory, databaseFile } = runtime.memory;
  if (directory !== null || statIfExists(databaseFile) !== null) return;
  await (await runtime.openStore("readonly")).close();
}

/**
 * Stores the answers that hooks have recorded, so that a list contains them. The background worker stores them only after
 * embedding, which may take an hour. Does nothing if the memory cannot be written.
 */
export async function storeWaiting(runtime: Runtime): Promise<void> {
  const { directory } = runtime.memory;
  if (directory === null || !isTrusted(runtime.paths, runtime.project.root)) return;
  if (pendingHookCalls(directory).length === 0) return;
  try {
    await using store = await runtime.openStore("readwrite");
    const place = { directory, dataDir: runtime.paths.dataDir };
    await takeHookCalls(place, (call) => store.journal.recordHookCall(call));
  } catch {
    // The next worker will store them. Until then, the list shows what is stored.
  }
}

/**
 * Returns this project's memory if it is empty; null otherwise, and for a named or a team's database, which no ingest of this
 * project fills.
 */
export async function emptyMemory(
  runtime: Runtime,
  search: ReadStore["search"],
): Promise<EmptyMemory | null> {
  if (runtime.databaseUrl !== null || runtime.memory.directory === null) return null;
  const { turns, notes } = await search.totals();
  if (turns + notes > 0) return null;
  const { memoryFolder } = await import("./sync/folder.ts");
  return { folder: (await memoryFolder(runtime))?.directory ?? null };
}

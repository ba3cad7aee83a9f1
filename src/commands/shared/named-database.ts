import { statIfExists } from "../../io/read.ts";
import type { Runtime } from "../../runtime.ts";

/** Rejects with `not_found` where `--db` names a file that is not there, as opening it does. */
export async function requireNamedDatabase(runtime: Runtime): Promise<void> {
  const { directory, databaseFile } = runtime.memory;
  if (directory !== null || statIfExists(databaseFile) !== null) return;
  await (await runtime.openStore("readonly")).close();
}

import { FORGET } from "../../constants.ts";
import { deleteLog, deleteReport, oldCopies } from "../../project/leftovers.ts";
import { renderJson } from "../../render/json.ts";
import { renderScan, type ScanReport, scanJson } from "../../render/scan.ts";
import type { Runtime } from "../../runtime.ts";
import type { FoundSecret } from "../../store/contract/types/secrets.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { locked } from "../shared/remove.ts";

/** Looks for secrets in the memory, and with `fix` removes them. Returns the exit code: 1 when secrets are left. */
export async function scan(
  { fix, json }: { fix: boolean; json: boolean },
  runtime: Runtime,
): Promise<number> {
  const { host, memory } = runtime;
  await using store = await runtime.openStore("readwrite");
  const found = await findAll(store);
  const report: ScanReport = {
    found,
    changed: null,
    rewritten: null,
    copies: oldCopies(memory).map(({ path }) => path),
  };
  const isDue = fix && (found.length > 0 || (await store.file.needsCompact()));
  const fixed = isDue ? await locked(runtime, () => fixAll(store)) : null;
  if (fixed === null) await store.secrets.noteFound(found.length);
  // The log of an older version may hold what the memory held.
  else if (memory.directory !== null) {
    deleteLog(memory.directory);
    deleteReport(memory.directory);
  }
  const shown = { ...report, ...fixed };
  host.stdout.write(json ? renderJson(scanJson(shown)) : renderScan(shown));
  return found.length > 0 && fixed === null ? 1 : 0;
}

async function findAll({ secrets }: SqliteStore): Promise<FoundSecret[]> {
  const found: FoundSecret[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const step: Awaited<ReturnType<typeof secrets.find>> = await secrets.find(after);
    found.push(...step.found);
    after = step.next;
  }
  return found;
}

async function fixAll({ secrets, file }: SqliteStore): Promise<{ changed: number; rewritten: boolean }> {
  let changed = 0;
  for (let after: number | null = 0; after !== null; ) {
    const step: Awaited<ReturnType<typeof secrets.clean>> = await secrets.clean(after);
    changed += step.changed;
    after = step.next;
  }
  return { changed, rewritten: await file.compact(FORGET.patienceMs) };
}

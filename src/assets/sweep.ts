import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { TEMPORARY } from "../io/temporary-name.ts";
import type { AssetPlaces } from "./assets.ts";
import { derivedFiles, isDerived } from "./derived.ts";

/** File whose modification time is the day of a version's last start. */
const USED = ".used";
const TRASH = ".trash-";

const DAY_MS = 86_400_000;
/** A version not started for this long is assumed to be gone. If it starts again, it extracts its assets again. */
const UNUSED_MS = 14 * DAY_MS;

/**
 * At most once a day, records that these assets are in use and removes what other versions and crashed processes left
 * behind. Never touches a version that was started within the last two weeks.
 */
export async function keepTidy(home: string, places: Pick<AssetPlaces, "now" | "warn">): Promise<void> {
  const now = places.now();
  const mark = join(home, USED);
  if (now.getTime() - modified(mark) < DAY_MS) return;
  try {
    await writeFile(mark, "", { mode: 0o600 });
    await utimes(mark, now, now);
    await removeUnused(dirname(home), basename(home), now);
    await removeLeftovers(home, now);
  } catch (error) {
    places.warn(`cannot clean up ${home}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Removes unused versions. Each is renamed first, so that no process sees a half-removed directory. */
async function removeUnused(root: string, current: string, now: Date): Promise<void> {
  for (const name of await readdir(root)) {
    const path = join(root, name);
    if (name.startsWith(TRASH)) await rm(path, { recursive: true, force: true });
    if (name === current || !/^[0-9a-f]{16}$/.test(name)) continue;
    const lastUse = Math.max(modified(join(path, USED)), modified(path));
    if (now.getTime() - lastUse < UNUSED_MS) continue;
    const trash = join(root, `${TRASH}${crypto.randomUUID().slice(0, 8)}`);
    SYSTEM.rename(path, trash);
    await rm(trash, { recursive: true, force: true });
  }
}

/**
 * Removes the temporary files of crashed writers, and outdated derived files; no process uses one for a whole day.
 * Lock files stay: two processes could each lock a file of their own if one removed them.
 */
async function removeLeftovers(home: string, now: Date): Promise<void> {
  const inUse = new Set(await derivedFiles(home));
  for (const name of await readdir(home)) {
    const isDead = name.endsWith(TEMPORARY) || (isDerived(name) && !inUse.has(name));
    if (!isDead) continue;
    const path = join(home, name);
    if (now.getTime() - modified(path) > DAY_MS) await rm(path, { force: true });
  }
}

/** Time of the last modification, in ms since 1970; 0 when the file does not exist. */
function modified(path: string): number {
  return statIfExists(path)?.mtimeMs ?? 0;
}

import { readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ASSETS } from "../constants.ts";
import { TEMPORARY } from "../io/write.ts";
import type { AssetPlaces } from "./assets.ts";
import { derivedFiles, isDerived } from "./derived.ts";

/** Marks when a version was last started, to the day. */
const USED = ".used";
const TRASH = ".trash-";

/**
 * Notes that these assets are in use and, at most once a day, removes what other versions and crashed processes
 * left behind. A version that was started within the last two weeks is never touched.
 */
export async function keepTidy(home: string, places: Pick<AssetPlaces, "now" | "warn">): Promise<void> {
  const now = places.now();
  const mark = join(home, USED);
  if (now.getTime() - (await modified(mark)) < ASSETS.tidyEveryMs) return;
  try {
    await writeFile(mark, "", { mode: 0o600 });
    await utimes(mark, now, now);
    await removeUnused(dirname(home), basename(home), now);
    await removeLeftovers(home, now);
  } catch (error) {
    places.warn(`could not tidy ${home}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Renames a directory before it removes it, so that nobody sees half of one. */
async function removeUnused(root: string, current: string, now: Date): Promise<void> {
  for (const name of await readdir(root)) {
    const path = join(root, name);
    if (name.startsWith(TRASH)) await rm(path, { recursive: true, force: true });
    if (name === current || !/^[0-9a-f]{16}$/.test(name)) continue;
    const lastUse = Math.max(await modified(join(path, USED)), await modified(path));
    if (now.getTime() - lastUse < ASSETS.unusedMs) continue;
    const trash = join(root, `${TRASH}${crypto.randomUUID().slice(0, 8)}`);
    await rename(path, trash);
    await rm(trash, { recursive: true, force: true });
  }
}

/**
 * Removes what crashed writers left, and derived files that were made again since: no process holds them for a day.
 * Lock files stay, since a lock on a removed file is no lock.
 */
async function removeLeftovers(home: string, now: Date): Promise<void> {
  const inUse = new Set(await derivedFiles(home));
  for (const name of await readdir(home)) {
    const isDead = name.endsWith(TEMPORARY) || (isDerived(name) && !inUse.has(name));
    if (!isDead) continue;
    const path = join(home, name);
    if (now.getTime() - (await modified(path)) > ASSETS.tidyEveryMs) await rm(path, { force: true });
  }
}

/** Last modification in ms since 1970; 0 when there is no such file. */
async function modified(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found?.mtimeMs ?? 0;
}

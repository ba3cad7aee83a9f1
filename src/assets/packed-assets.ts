import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MementorError } from "../errors.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM, TEMPORARY_SUFFIX } from "../io/system.ts";
import { writeAtomic } from "../io/write.ts";
import type { AssetPlaces, AssetProblem, Assets } from "./catalog.ts";
import { type AssetName, type AssetPack, catalog, type PackedFile } from "./catalog.ts";
import {
  assetsPackedError,
  derivedFile,
  derivedFiles,
  derivedProblems,
  isDerived,
  LOCK_SUFFIX,
  onceAmongProcesses,
  removeBrokenDerived,
} from "./derived.ts";
import {
  assetsHome,
  fileProblem,
  isVerified,
  isWritable,
  markVerified,
  sha256,
  sha256OfFile,
  whereWritable,
} from "./directory.ts";
import { packed } from "./packed.ts";
import { hostTarget } from "./target.ts";

/** Opens the assets: those in the binary or, when run from source, those in the checkout. */
export function openAssets(places: AssetPlaces): Assets {
  if (packed !== null) return openPackedAssets(packed, places);
  return openSourceAssets(join(import.meta.dirname, "..", ".."), places);
}

/** Stands in for the content hash: a checkout has only one set of assets. */
const SOURCE = "source";

/** Opens the assets of a checkout in place. Only derived files are written. A missing asset is `assets_broken`. */
function openSourceAssets(root: string, places: AssetPlaces): Assets {
  const target = hostTarget();
  const files = new Map<AssetName, string>();
  for (const { name, source } of target === null ? [] : catalog(target))
    if (source !== null) files.set(name, join(root, source));
  const find = (name: AssetName) => {
    const path = files.get(name);
    if (path === undefined)
      throw new MementorError("assets_broken", `${name} does not exist for this platform`);
    return path;
  };
  const home = () => assetsHome(places, SOURCE);
  return {
    contentHash: SOURCE,
    has: (name) => files.has(name),
    path: async (name) => find(name),
    bytes: async (name) => Bun.file(find(name)).bytes(),
    sha256: async (name) => sha256OfFile(find(name)),
    derived: async (name, make) =>
      whereWritable(await home(), places, (home, places) => derivedFile(home, name, make, places)),
    verify: async () => derivedProblems(await home(), places.uid),
    repair: async () => removeBrokenDerived(await home(), places.uid),
  };
}

const READABLE = 0o600;
const EXECUTABLE = 0o700;
const DIRECTORY = 0o700;

/**
 * Opens the assets embedded in the binary. The first `path` or `derived` writes them to disk, or rejects with `assets_packed`
 * where unpacking is not allowed.
 */
export function openPackedAssets(pack: AssetPack, places: AssetPlaces): Assets {
  let opening: Promise<string> | null = null;
  const home = () => {
    opening ??= openHome(pack, places);
    return opening;
  };
  return {
    contentHash: pack.contentHash,
    has: (name) => pack.files.some((file) => file.name === name),
    path: async (name) =>
      whereWritable(await home(), places, (home, places) => extract(pack, find(pack, name), home, places)),
    bytes: (name) => unpack(find(pack, name)),
    sha256: async (name) => find(pack, name).sha256,
    derived: async (name, make) =>
      whereWritable(await home(), places, (home, places) => derivedFile(home, name, make, places)),
    verify: async () => verify(pack, await home(), places.uid),
    repair: async () => repair(pack, await home(), places.uid),
  };
}

async function openHome(pack: AssetPack, places: AssetPlaces): Promise<string> {
  const home = assetsHome(places, pack.contentHash);
  if (isWritable(home)) await keepTidy(home, places);
  return home;
}

function find(pack: AssetPack, name: AssetName): PackedFile {
  const file = pack.files.find((candidate) => candidate.name === name);
  if (file === undefined) throw new MementorError("assets_broken", `this build has no ${name}`);
  return file;
}

async function extract(
  pack: AssetPack,
  wanted: PackedFile,
  home: string,
  { uid, mayUnpack }: Pick<AssetPlaces, "uid" | "mayUnpack">,
): Promise<string> {
  const group = pack.files.filter((file) => file.group === wanted.group);
  const isDone = async () => {
    const checks = group.map((file) => isVerified(join(home, file.file), file, uid));
    return (await Promise.all(checks)).every(Boolean);
  };
  const place = join(home, wanted.file);
  if (!mayUnpack) {
    if (await isDone()) return place;
    throw assetsPackedError(wanted.file);
  }
  await onceAmongProcesses(join(home, wanted.group + LOCK_SUFFIX), isDone, async () => {
    for (const file of group) {
      const path = join(home, file.file);
      if (await isVerified(path, file, uid)) continue;
      await mkdir(dirname(path), { recursive: true, mode: DIRECTORY });
      const mode = file.executable ? EXECUTABLE : READABLE;
      writeAtomic(path, await unpack(file), { mode, replace: true });
      markVerified(path, file);
    }
  });
  return place;
}

async function unpack(file: PackedFile): Promise<Uint8Array> {
  const embedded = await Bun.file(file.embedded).bytes();
  const bytes = file.encoding === "zstd" ? await Bun.zstdDecompress(embedded) : embedded;
  if (file.encoding === "zstd" && sha256(bytes) !== file.sha256)
    throw new MementorError("assets_broken", `${file.file} is damaged inside the binary`, {
      hint: "Install mementor again.",
    });
  return bytes;
}

async function repair(pack: AssetPack, home: string, uid: number | null): Promise<void> {
  for (const file of pack.files) {
    const path = join(home, file.file);
    if ((await fileProblem(path, file, uid)).length > 0) await rm(path, { recursive: true, force: true });
  }
  await removeBrokenDerived(home, uid);
}

async function verify(pack: AssetPack, home: string, uid: number | null): Promise<AssetProblem[]> {
  const checks = pack.files.map((file) => fileProblem(join(home, file.file), file, uid));
  const found = await Promise.all([...checks, derivedProblems(home, uid)]);
  return found.flat();
}

/** Name of the file whose modification time is the day of a version's last start. */
const USED = ".used";
const TRASH = ".trash-";

const DAY_MS = 86_400_000;
/** A version that has not started for this long counts as gone. If it starts again, it extracts its assets again. */
const UNUSED_MS = 14 * DAY_MS;

/**
 * Records once a day that these assets are in use, and removes leftovers of other versions and crashed processes. Never touches a
 * version that started within the last two weeks.
 */
async function keepTidy(home: string, places: Pick<AssetPlaces, "now" | "warn">): Promise<void> {
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
 * Removes temporary files of crashed writers and outdated derived files, none of which any process uses for a whole day. Lock
 * files stay: if one were removed, two processes could each lock a file of their own.
 */
async function removeLeftovers(home: string, now: Date): Promise<void> {
  const inUse = new Set(await derivedFiles(home));
  for (const name of await readdir(home)) {
    const isDead = name.endsWith(TEMPORARY_SUFFIX) || (isDerived(name) && !inUse.has(name));
    if (!isDead) continue;
    const path = join(home, name);
    if (now.getTime() - modified(path) > DAY_MS) await rm(path, { force: true });
  }
}

/** Time of the last modification, in ms since 1970; 0 when the file does not exist. */
function modified(path: string): number {
  return statIfExists(path)?.mtimeMs ?? 0;
}

import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openFolder } from "../../src/sync/folder/files.ts";
import { newKey } from "../../src/sync/folder/key.ts";
import { syncFolder } from "../../src/sync/folder/sync.ts";
import { openStore } from "../store/builders.ts";
import { median, scratchDir } from "./measure.ts";
import { Synthetic } from "./synthetic.ts";
import { MODEL, SHAPE } from "./team/made-turns.ts";
import { number } from "./team/report.ts";

/** Devices that put the same number of turns into the folder. */
const DEVICES = 5;
/** How often a sync with nothing new is measured. */
const TIMES = 9;
const SEED = 4e8;

interface Figure {
  what: string;
  seconds: number;
  cpuMs: number;
  goal: string;
}

/** Measures the sync through a folder on this disk: what one device puts, what a new one takes, and a sync with nothing new. */
export async function measureSync(turns: number): Promise<string> {
  using scratch = scratchDir();
  const folder = join(scratch.path, "folder");
  mkdirSync(folder);
  const key = newKey();
  const first = join(scratch.path, "device-0.db");
  const store = await openStore(first, { model: MODEL });
  await new Synthetic(MODEL.dimensions, SEED, SHAPE).fill(store, turns * SHAPE.chunksATurn);
  await store.close();
  for (let i = 1; i < DEVICES; i++) copyFileSync(first, join(scratch.path, `device-${i}.db`));
  const figures: Figure[] = [];
  const sync = (name: string) => syncOnce(join(scratch.path, `${name}.db`), name, folder, key);
  figures.push({
    what: `${number(turns)} turns put by the first device`,
    goal: "60 s for 20,000",
    ...(await sync("device-0")),
  });
  const oneDevice = sizeOf(folder);
  figures.push({
    what: `${number(turns)} turns taken by a new device`,
    goal: "60 s for 20,000",
    ...(await sync("new")),
  });
  for (let i = 1; i < DEVICES; i++) await sync(`device-${i}`);
  await sync("new");
  const idle: Awaited<ReturnType<typeof sync>>[] = [];
  for (let i = 0; i < TIMES; i++) idle.push(await sync("new"));
  figures.push({
    what: `nothing new, ${number(DEVICES * turns)} turns in the folder`,
    goal: "100 ms of CPU for 100,000",
    seconds: median(idle.map(({ seconds }) => seconds)),
    cpuMs: median(idle.map(({ cpuMs }) => cpuMs)),
  });
  return [
    "\n### Sync through a folder\n",
    `A turn has ${SHAPE.chunksATurn} chunks with vectors; ${number(turns)} turns take ${number(oneDevice / 1e6)} MB of the folder.\n`,
    "| what | time | CPU | goal |",
    "| --- | --- | --- | --- |",
    ...figures.map(
      ({ what, seconds, cpuMs, goal }) =>
        `| ${what} | ${seconds.toFixed(2)} s | ${number(cpuMs)} ms | ${goal} |`,
    ),
    "",
  ].join("\n");
}

async function syncOnce(file: string, name: string, folder: string, key: Uint8Array) {
  const store = await openStore(file, { model: MODEL });
  if ((await store.folder.self()) === null) await store.folder.join();
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  await syncFolder({
    ...{ store: store.folder, files: await openFolder(folder), key, formerKeys: [], project: "shop" },
    device: { id: new Bun.CryptoHasher("sha256").update(name).digest("hex").slice(0, 16), name },
    exclusions: { isPathExcluded: () => false, isProjectExcluded: false, openSince: "" },
    until: "2100-01-01T00:00:00.000Z",
    acceptsOlder: false,
    startsAnew: false,
    locked: (step) => step(),
    now: () => new Date().toISOString(),
    signal: new AbortController().signal,
  });
  const used = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAt) / 1000;
  await store.close();
  return { seconds, cpuMs: (used.user + used.system) / 1000 };
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

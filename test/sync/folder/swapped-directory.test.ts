import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFolder } from "../../../src/sync/folder/files.ts";
import { tempDir } from "../../store/builders.ts";

/**
 * Puts a link in the place of a directory and the directory back, until it is ended. In between the other process may have made
 * a directory there: it goes.
 */
const SWAP = `
  const { renameSync, rmSync, symlinkSync, unlinkSync } = require("node:fs");
  const [place, outside] = process.argv.slice(1);
  const tried = (work) => { try { work(); } catch {} };
  for (;;) {
    tried(() => renameSync(place, place + "-aside"));
    tried(() => rmSync(place, { recursive: true, force: true }));
    tried(() => symlinkSync(outside, place));
    tried(() => unlinkSync(place));
    tried(() => renameSync(place + "-aside", place));
  }`;

const SEALED = new TextEncoder().encode("mementor\u0001.");

/** What nobody may lose, and where it may be: where it was, or, where a system names no open directories, seen and named. */
async function keptWhile(platform: NodeJS.Platform, rounds: number) {
  const { path: root } = tempDir();
  const [folder, outside] = [join(root, "folder"), join(root, "outside")];
  const place = join(folder, "mementor", "writer");
  for (const each of [place, outside]) mkdirSync(each, { recursive: true });
  const files = await openFolder(folder, platform);
  const swapping = Bun.spawn([process.execPath, "-e", SWAP, place, outside], { stderr: "ignore" });
  const found: Record<string, number> = { "in its place": 0, "in the folder": 0, nowhere: 0 };
  const note = (where: string) => {
    found[where] = (found[where] ?? 0) + 1;
  };
  const take = (path: string) => {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    rmSync(path, { force: true });
    return text === "private";
  };
  try {
    for (let round = 0; round < rounds; round++) {
      writeFileSync(join(outside, "manifest"), "private");
      await files.remove(["writer", "manifest"]).catch(() => {});
      await files.write(["writer", "manifest"], SEALED).catch(() => {});
      const aside = readdirSync(folder).filter((name) => name.startsWith("manifest"));
      if (take(join(outside, "manifest"))) note("in its place");
      else note(aside.some((name) => take(join(folder, name))) ? "in the folder" : "nowhere");
    }
    expect(swapping.exitCode).toBeNull();
  } finally {
    swapping.kill();
    await swapping.exited;
  }
  return found;
}

test.skipIf(process.platform !== "linux")(
  "a link that takes a directory's place while files are written and removed saves what it leads to",
  async () => {
    expect(await keptWhile("linux", 3_000)).toEqual({
      "in its place": 3_000,
      "in the folder": 0,
      nowhere: 0,
    });
  },
);

test.skipIf(process.platform === "win32")(
  "without names for open directories nothing of others is removed or written over either",
  async () => {
    const { nowhere, ...kept } = await keptWhile("darwin", 3_000);
    expect([nowhere, (kept["in its place"] ?? 0) + (kept["in the folder"] ?? 0)]).toEqual([0, 3_000]);
  },
);

test.each<NodeJS.Platform>(["linux", "darwin"])(
  "files are written, replaced and removed (%s)",
  async (platform) => {
    using dir = tempDir();
    const files = await openFolder(dir.path, platform);
    for (const last of [1, 2]) {
      const bytes = new Uint8Array([...SEALED, last]);
      await files.write(["writer", "manifest"], bytes);
      expect(await files.read(["writer", "manifest"], 100)).toEqual(bytes);
    }
    expect(readdirSync(dir.path, { recursive: true }).sort()).toEqual([
      "mementor",
      "mementor/writer",
      "mementor/writer/manifest",
    ]);
    for (const path of [["writer", "manifest"], ["writer", "manifest"], ["writer"]]) await files.remove(path);
    expect(readdirSync(dir.path, { recursive: true })).toEqual(["mementor"]);
  },
);

test("what mementor did not write is neither removed nor written over where directories have no names", async () => {
  using dir = tempDir();
  const files = await openFolder(dir.path, "darwin");
  mkdirSync(join(dir.path, "mementor", "writer"), { recursive: true });
  for (const change of [
    () => files.remove(["writer", "manifest"]),
    () => files.write(["writer", "manifest"], SEALED),
  ]) {
    writeFileSync(join(dir.path, "mementor", "writer", "manifest"), "private");
    await expect(change()).rejects.toThrow("was no file of mementor's: it is");
  }
  const aside = readdirSync(dir.path).filter((name) => name.startsWith("manifest"));
  expect(aside.map((name) => readFileSync(join(dir.path, name), "utf8"))).toEqual(["private", "private"]);
});

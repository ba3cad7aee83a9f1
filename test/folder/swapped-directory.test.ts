import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFolder } from "../../src/folder/files.ts";
import { tempDir } from "../store/builders.ts";

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

test.skipIf(process.platform !== "linux")(
  "a link that takes a directory's place while a file is removed saves what it leads to",
  async () => {
    const { path: root } = tempDir();
    const [folder, outside] = [join(root, "folder"), join(root, "outside")];
    const place = join(folder, "mementor", "writer");
    for (const each of [place, outside]) mkdirSync(each, { recursive: true });
    const files = await openFolder(folder);
    const swapping = Bun.spawn([process.execPath, "-e", SWAP, place, outside], { stderr: "ignore" });
    const lost: number[] = [];
    try {
      for (let round = 0; round < 3_000; round++) {
        if (!existsSync(join(outside, "manifest"))) {
          if (round > 0) lost.push(round);
          writeFileSync(join(outside, "manifest"), "private");
        }
        await files.remove(["writer", "manifest"]);
        await files.write(["writer", "note"], new Uint8Array([1])).catch(() => {});
      }
      expect(swapping.exitCode).toBeNull();
    } finally {
      swapping.kill();
      await swapping.exited;
    }
    expect([lost, existsSync(join(outside, "note"))]).toEqual([[], false]);
  },
);

import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Assets } from "../../src/assets/catalog.ts";
import { openAssets } from "../../src/assets/packed-assets.ts";

/** Opens the assets of the checkout; what is derived from them is kept under `.cache/`, so that it is made once. */
export function testAssets(): Assets {
  return openAssets({
    cacheDir: join(import.meta.dirname, "..", "..", ".cache"),
    fallbackDir: join(tmpdir(), `mementor-test-${process.getuid?.() ?? 0}`),
    uid: process.getuid?.() ?? null,
    mayUnpack: true,
    now: () => new Date(),
    warn: (message) => {
      throw new Error(message);
    },
  });
}

import { openAssets } from "../assets/packed-assets.ts";
import { BGE_SMALL } from "../embed/embedder.ts";
import type { Host } from "../host.ts";
import { sqliteFacts } from "../store/sqlite/file/health.ts";
import { assetPlaces } from "../user-paths.ts";
import { COMMIT, LIBRARIES, TARGET, VERSION } from "../version.ts";

/** The versions of the program and of its parts. */
export interface Versions {
  version: string;
  commit: string;
  target: string;
  bun: string;
  sqlite: string;
  /** Null in a build without it, which scans vectors in JavaScript. */
  sqliteVec: string | null;
  onnxruntime: { version: string; runtime: "native" | "wasm" };
  /** The built-in embedding model. */
  model: string;
}

/** Returns the versions of this program and of its parts. Loads and unpacks no library. */
export function versions(host: Host): Versions {
  const assets = openAssets(assetPlaces(host, false, () => {}));
  const isNative = assets.has("ort-binding");
  return {
    version: VERSION,
    commit: COMMIT,
    target: TARGET,
    bun: Bun.version,
    sqlite: sqliteFacts(null).version,
    sqliteVec: assets.has("sqlite-vec") ? LIBRARIES["sqlite-vec"] : null,
    onnxruntime: {
      version: LIBRARIES[isNative ? "onnxruntime-node" : "onnxruntime-web"],
      runtime: isNative ? "native" : "wasm",
    },
    model: BGE_SMALL.id,
  };
}

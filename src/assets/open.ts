import { join } from "node:path";
import type { AssetPlaces, Assets } from "./assets.ts";
import { packed } from "./packed.ts";
import { openPackedAssets } from "./packed-assets.ts";
import { openSourceAssets } from "./source-assets.ts";

/** Opens the assets: those in the binary or, when run from source, those in the checkout. */
export function openAssets(places: AssetPlaces): Assets {
  if (packed !== null) return openPackedAssets(packed, places);
  return openSourceAssets(join(import.meta.dirname, "..", ".."), places);
}

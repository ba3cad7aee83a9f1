import { join } from "node:path";
import { MementorError } from "../errors.ts";
import type { AssetPlaces, Assets } from "./assets.ts";
import { type AssetName, catalog } from "./catalog.ts";
import { derivedFile, derivedProblems, removeBrokenDerived } from "./derived.ts";
import { assetsHome } from "./home.ts";
import { sha256OfFile } from "./sha256.ts";
import { hostTarget } from "./target.ts";

/** Stands in for the content hash: a checkout has only one set of assets. */
const SOURCE = "source";

/** Opens the assets of a checkout in place. Only derived files are written. A missing asset is `assets_broken`. */
export function openSourceAssets(root: string, places: AssetPlaces): Assets {
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
    derived: async (name, make) => derivedFile(await home(), name, make, places),
    verify: async () => derivedProblems(await home(), places.uid),
    repair: async () => removeBrokenDerived(await home(), places.uid),
  };
}

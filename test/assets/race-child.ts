import { openPackedAssets } from "../../src/assets/packed-assets.ts";
import { places } from "./fake-pack.ts";

/** One of several racing first runs: `bun race-child.ts <directory>`, with the pack in `<directory>/pack.json`. */
const directory = process.argv[2] ?? "";
const pack = await Bun.file(`${directory}/pack.json`).json();
const assets = openPackedAssets(pack, places(directory));
const library = await assets.path("ort-library");
const derived = await assets.derived("made-here", async (path) => {
  await Bun.write(path, crypto.getRandomValues(new Uint8Array(50_000)));
});
process.stdout.write(JSON.stringify({ size: Bun.file(library).size, derived, made: Bun.file(derived).size }));

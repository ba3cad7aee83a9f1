import { openPackedAssets } from "../../src/assets/packed-assets.ts";
import { places } from "./fake-pack.ts";

/** Uses a cache that is read-only: `bun read-only-child.ts <directory>`, with the pack in `<directory>/pack.json`. */
const directory = process.argv[2] ?? "";
const pack = await Bun.file(`${directory}/pack.json`).json();
const warnings: string[] = [];
const assets = openPackedAssets(pack, places(directory, warnings));
const made: string[] = [];
const library = await assets.path("ort-library");
const failure = await assets
  .derived("failing", async (path) => {
    made.push(path);
    throw new Error("no");
  })
  .catch((error: Error) => error.message);
const derived = await assets.derived("made-here", async (path) => {
  made.push(path);
  await Bun.write(path, "made");
});
process.stdout.write(JSON.stringify({ library, failure, derived, made, warnings }));

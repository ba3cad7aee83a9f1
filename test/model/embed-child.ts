import { openEmbedder } from "../../src/embed/open.ts";
import { testAssets } from "../support/assets.ts";

/** Embeds one text with the native runtime and leaves. */
const embedder = await openEmbedder({
  files: testAssets(),
  runtime: "native",
  purpose: "prompt",
  warn: () => {},
});
const vector = await embedder.embed("hello");
process.stdout.write(String(vector.length));
await embedder.close();

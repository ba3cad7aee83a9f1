import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { wordForm } from "../../src/recall/word-form.ts";
import { keywordTerms } from "../../src/text/keywords.ts";

/**
 * `bun run make:words` writes `src/recall/words.txt`: how common words are in texts for developers. The texts
 * are the documentation of these dependencies, each under the licence beside it, and this project's own.
 */
const PACKAGES = [
  "bun-types", // MIT
  "@huggingface/transformers", // Apache-2.0
  "@modelcontextprotocol/sdk", // MIT
  "@babel/parser", // MIT
  "ajv", // MIT
  "body-parser", // MIT
  "debug", // MIT
  "express", // MIT
  "fast-check", // MIT
  "ip-address", // MIT
  "onnxruntime-web", // MIT
  "object-inspect", // MIT
  "protobufjs", // BSD-3-Clause
  "qs", // BSD-3-Clause
  "semver", // ISC
  "type-fest", // MIT (or CC0-1.0)
  "valibot", // MIT
  "zod-to-json-schema", // ISC
];
const OWN = ["README.md", ".github/CONTRIBUTING.md", "CHANGELOG.md", ".github/docs/*.md"];

/** A piece is about as long as a short turn, in characters. */
const PIECE_CHARS = 1_500;
/** Words in fewer pieces are no more common than any other. */
const MIN_PIECES = 3;
const ROOT = resolve(import.meta.dir, "../..");

const files = [
  ...OWN.flatMap((name) => [...new Bun.Glob(name).scanSync({ cwd: ROOT, absolute: true, dot: true })].sort()),
  ...(await documentation()),
];
const counts = new Map<string, number>();
let pieces = 0;
for (const file of files)
  for (const piece of piecesOf(readFileSync(file, "utf8"))) {
    pieces++;
    for (const word of new Set(keywordTerms(piece, 10_000).map(wordForm)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
const common = [...counts].filter(([, count]) => count >= MIN_PIECES).sort(([a], [b]) => (a < b ? -1 : 1));
const table = [`${pieces}`, ...common.map(([word, count]) => `${word} ${count}`), ""].join("\n");
await Bun.write(`${ROOT}/src/search/background/words.txt`, table);
process.stdout.write(
  `${files.length} files, ${pieces} pieces, ${common.length} words, ${table.length} bytes\n`,
);

async function documentation(): Promise<string[]> {
  const found: string[] = [];
  for (const name of PACKAGES)
    for await (const file of new Bun.Glob("**/*.{md,mdx}").scan(`${ROOT}/node_modules/${name}`))
      if (!file.includes("node_modules/") && !file.includes("lint/rules"))
        found.push(`${ROOT}/node_modules/${name}/${file}`);
  return found.sort();
}

/** Cuts at blank lines where a piece is long enough. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const paragraph of text.split(/\n\s*\n/)) {
    piece += `${paragraph}\n\n`;
    if (piece.length < PIECE_CHARS) continue;
    pieces.push(piece);
    piece = "";
  }
  return piece.length > PIECE_CHARS / 3 ? [...pieces, piece] : pieces;
}

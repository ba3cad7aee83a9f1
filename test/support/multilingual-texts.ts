import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "../../fixtures/multilingual");

/** What developers write, in twelve languages: `[language, text]`. */
export function multilingualTexts(): [language: string, text: string][] {
  const lines = readFileSync(join(FOLDER, "texts.tsv"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [language = "", text = ""] = line.split("\t");
    return [language, text];
  });
}

/** What stands between sentences in prompts: code, paths, marks, wide forms, an emoji, runs and odd blanks. */
const BETWEEN = [
  " ",
  "\n\n",
  " `src/store/index.ts:42` ",
  "\n```ts\nconst rows = await db.all<Row>(sql`SELECT * FROM turns`);\n```\n",
  " — ",
  "\n- [x] ",
  " (#1234, 3f9c2ab) ",
  " …　",
  "\t🎉  ",
  "\n| a | b |\n| --- | ---: |\n",
  " https://example.org/api/v2?id=7&q=é ",
  "！？～ ＡＢＣ１２３ ",
  " 𠮷野家 ",
  "\u00a0»\u2009",
  " foo_bar.baz()->qux[0] != null; ",
  "\r\n\u200b",
];

/** Composes 2,000 texts of two sentences each, always the same ones. */
export function composedTexts(count = 2_000): string[] {
  const texts = multilingualTexts().map(([, text]) => text);
  return Array.from({ length: count }, (_, i) => {
    const first = texts[(i * 7) % texts.length] ?? "";
    const second = texts[(i * 31 + Math.floor(i / texts.length) * 3 + 5) % texts.length] ?? "";
    return `${first}${BETWEEN[i % BETWEEN.length]}${second}`.normalize("NFC");
  });
}

/** Factor by which the components of a unit vector are stored in signed bytes. */
export const VECTOR_SCALE = 256;

/** The vectors of `multilingualTexts` as queries, by the engine of the package that the model comes from. */
export function engineVectors(): Int8Array[] {
  const bytes = new Int8Array(
    Uint8Array.fromBase64(readFileSync(join(FOLDER, "vectors.txt"), "utf8").trim()).buffer,
  );
  const count = multilingualTexts().length;
  const size = bytes.length / count;
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** The prints of the tokens of `composedTexts`, by the same engine. */
export function enginePrints(): string[] {
  return readFileSync(join(FOLDER, "tokens.txt"), "utf8").trim().split("\n");
}

/** Returns the start of a hash of a text's tokens, without those that stand around every text. */
export function tokenPrint(ids: readonly number[]): string {
  return new Bun.CryptoHasher("sha256").update(ids.join(" ")).digest("hex").slice(0, 8);
}

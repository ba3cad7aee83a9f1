import { statSync } from "node:fs";
import type { Target } from "../assets/target.ts";

const MB = 1e6;
const MAX_SIZE = 170 * MB;

/** Prints the size of a binary and of its parts, in MB (10^6 bytes). Throws when the binary is too large. */
export function report(
  target: Target,
  outfile: string,
  files: readonly { file: string; size: number; packedSize: number }[],
) {
  const total = statSync(outfile).size;
  const assets = files.reduce((sum, { packedSize }) => sum + packedSize, 0);
  const lines = [`${outfile} (${target}): ${inMb(total)} MB`, row("Bun and code", total - assets)];
  for (const { file, size, packedSize } of files.toSorted((a, b) => b.packedSize - a.packedSize))
    lines.push(row(file, packedSize, size === packedSize ? "" : `, ${inMb(size)} MB unpacked`));
  if (total > MAX_SIZE)
    throw new Error(`${outfile} is ${inMb(total)} MB; the maximum is ${inMb(MAX_SIZE)} MB`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

function row(name: string, size: number, note = ""): string {
  return `  ${inMb(size).padStart(6)} MB  ${name}${note}`;
}

function inMb(bytes: number): string {
  return (bytes / MB).toFixed(1);
}

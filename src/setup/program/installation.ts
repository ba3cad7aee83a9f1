import { lstatSync } from "node:fs";
import { dirname, isAbsolute, join, posix, win32 } from "node:path";
import * as v from "valibot";
import { MULTILINGUAL } from "../../constants.ts";
import { MODEL_PACKAGE } from "../../embed/models/manifest.ts";
import { accountHome } from "../../io/account.ts";
import { readIfExists, realPathIfExists, statIfExists } from "../../io/read.ts";
import { isMadeHere } from "../../project/registry.ts";
import { powershellWord, shWord } from "../../text/lines.ts";
import { installedProgram } from "./install-program.ts";

/** How the program came to this machine. */
export type InstallMethod =
  | "installer"
  | "npm"
  | "pnpm"
  | "yarn"
  | "bun"
  | "npx"
  | "homebrew"
  | "scoop"
  | "winget"
  | "source"
  | "file";

export interface Installation {
  method: InstallMethod;
  /** The program that the user starts: not the link to it that hooks start. */
  program: string;
  /** Shell commands; null if there is nothing to run. */
  upgrade: string | null;
  uninstall: string | null;
  /** Files that the installer put beside the program, with its note; empty for other methods. */
  files: string[];
}

/** Facts that show how the program was installed. */
export interface InstallationFacts {
  /** How this program was started: the binary, or the runtime and the entry file. */
  self: readonly string[];
  homeDir: string;
  platform: NodeJS.Platform;
  /** The `mementor` that a shell finds; null when there is none. */
  onPath: string | null;
}

/** Determines how this program was installed: from the installer's note, or else from its location. */
export function findInstallation(facts: InstallationFacts): Installation {
  const { self, platform } = facts;
  const program = programOf(facts);
  if (self.length > 1) return { method: "source", program, upgrade: null, uninstall: null, files: [] };
  const note = readNote(facts.homeDir);
  if (note !== null && realPathIfExists(note.program) === program) return byInstaller(note, facts);
  const method = methodOf(program.replaceAll("\\", "/"));
  const commands = COMMANDS[method]?.(packageOf(program)) ?? [null, null];
  return { method, program, upgrade: commands[0], uninstall: commands[1], files: [] };

  function byInstaller(found: InstallerNote, { homeDir }: InstallationFacts): Installation {
    const files = [...found.files, noteFile(homeDir)];
    return {
      method: "installer",
      program: found.program,
      upgrade: again(found, platform),
      uninstall: null,
      files,
    };
  }
}

/** The program itself when it was started through the link that hooks start. */
function programOf(facts: InstallationFacts): string {
  const started = facts.self[0] ?? "";
  const isHooks = started === installedProgram(facts);
  const named = isHooks ? (readNote(facts.homeDir)?.program ?? facts.onPath ?? started) : started;
  return realPathIfExists(named) ?? named;
}

/** Returns the link in `~/.local/bin` to this program; null if there is none. */
export function linkToProgram(homeDir: string, { program }: Pick<Installation, "program">): string | null {
  const link = join(homeDir, ".local", "bin", "mementor");
  if (link === program || lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return null;
  return realPathIfExists(link) === (realPathIfExists(program) ?? program) ? link : null;
}

/** The installer's note: lines of `key=value`. */
interface InstallerNote {
  program: string;
  /** Address of the directory that it downloaded from. */
  from: string;
  files: string[];
}

function noteFile(homeDir: string): string {
  return join(homeDir, ".local", "share", "mementor", "installed");
}

/** Returns the address or the directory that the installer took the program from; null without its note. */
function installedFrom(homeDir: string): string | null {
  return readNote(homeDir)?.from ?? null;
}

/**
 * Reads the installer's note. Commands in it are run, so it counts only in the account's home directory, or in one where this
 * user has enabled a project: `HOME` may name a directory from an archive.
 */
function readNote(homeDir: string): InstallerNote | null {
  if (!isHome(homeDir)) return null;
  const rows = (readIfExists(noteFile(homeDir)) ?? "").split("\n").flatMap((line) => {
    const [, key = "", value = ""] = /^(\w+)=(.+)$/.exec(line) ?? [];
    return key === "" ? [] : [{ key, value }];
  });
  const valuesOf = (wanted: string) => rows.filter(({ key }) => key === wanted).map(({ value }) => value);
  const [[program], [from]] = [valuesOf("program"), valuesOf("from")];
  return program && from ? { program, from, files: valuesOf("file").filter(isOfInstaller) } : null;
}

function isHome(directory: string): boolean {
  const home = accountHome();
  const real = realPathIfExists(directory);
  return (
    (real !== null && home !== null && real === realPathIfExists(home)) ||
    isMadeHere(join(directory, ".config", "mementor"))
  );
}

/** Files that installers put beside the program. A tampered note could name any other file. */
const INSTALLED =
  /[/\\](?:man[/\\]man1[/\\]mementor\.1|completions[/\\](?:mementor(?:\.(?:bash|fish|ps1))?|_mementor)|site-functions[/\\]_mementor|mementor[/\\][\w.-]*completions?[\w.-]*|mementor\.ps1)$/;

function isOfInstaller(file: string): boolean {
  return INSTALLED.test(file) && !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(file);
}

/** The command that runs the installer again, for the same place. */
function again({ program, from }: InstallerNote, platform: NodeJS.Platform): string {
  const to = (platform === "win32" ? win32 : posix).dirname(program);
  if (from.startsWith("/")) return `sh ${shWord(`${from}/install.sh`)} --to ${shWord(to)}`;
  if (platform === "win32")
    return `$env:MEMENTOR_BASE_URL = ${powershellWord(from)}; & ([scriptblock]::Create((irm ${powershellWord(`${from}/install.ps1`)}))) -To ${powershellWord(to)}`;
  return `curl -fsSL ${shWord(`${from}/install.sh`)} | MEMENTOR_BASE_URL=${shWord(from)} sh -s -- --to ${shWord(to)}`;
}

/** A package of winget, whose directory is called by its id and the source. */
const WINGET_PACKAGE = /\/WinGet\/Packages\/([^/_]+)_/i;

/** Installation methods by the program's path, with slashes. The first match counts. */
const PLACES: readonly (readonly [place: RegExp, method: InstallMethod])[] = [
  [/\/_npx\/|\/\.?bunx-/, "npx"],
  [/\/pnpm\/(?:.{0,1000}\/)?global\/|\/pnpm-global\//, "pnpm"],
  [/\/\.bun\/install\/global\//, "bun"],
  [/\/[Yy]arn\/(?:.{0,1000}\/)?global\//, "yarn"],
  [/\/Cellar\//, "homebrew"],
  [/\/scoop\/apps\//i, "scoop"],
  [WINGET_PACKAGE, "winget"],
  [/\/node_modules\//, "npm"],
];

function methodOf(program: string): InstallMethod {
  return PLACES.find(([place]) => place.test(program))?.[1] ?? "file";
}

type Commands = (name: string) => readonly [upgrade: string | null, uninstall: string | null];

const COMMANDS: Partial<Record<InstallMethod, Commands>> = {
  npm: (name) => [`npm install -g ${name}@latest`, `npm uninstall -g ${name}`],
  pnpm: (name) => [`pnpm add -g ${name}@latest`, `pnpm remove -g ${name}`],
  yarn: (name) => [`yarn global add ${name}@latest`, `yarn global remove ${name}`],
  bun: (name) => [`bun add -g ${name}@latest`, `bun remove -g ${name}`],
  homebrew: () => ["brew upgrade mementor", "brew uninstall mementor"],
  scoop: () => ["scoop update mementor", "scoop uninstall mementor"],
  winget: (id) => [`winget upgrade --id ${id}`, `winget uninstall --id ${id}`],
};

const Manifest = v.object({ mementor: v.object({ launcher: v.string() }) });

/** Returns the package manager's name for the program: the manifest of the npm package with the binary names the launcher. */
function packageOf(program: string): string {
  const [, id] = WINGET_PACKAGE.exec(program.replaceAll("\\", "/")) ?? [];
  if (id !== undefined) return id;
  try {
    const text = readIfExists(join(dirname(dirname(program)), "package.json"));
    return v.parse(Manifest, JSON.parse(text ?? "")).mementor.launcher;
  } catch {
    return "mementor";
  }
}

/** Places of a release, from `MEMENTOR_BASE_URL` and the installer's note. */
interface ReleasePlaces {
  /** Paths of this machine. */
  directories: string[];
  /** Addresses of releases. */
  addresses: string[];
}

/** URLs that the installers also accept: only those whose content no other machine could change in transit. */
const ADDRESS = /^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/])[^@\s]+$/;

/**
 * Finds the archive of the multilingual model, or the directory that it was unpacked to: beside the program, in the npm
 * package beside the program's, and in the directory of a release. Null when it is not on this machine.
 */
export function multilingualOnDisk(facts: InstallationFacts, baseUrl: string | undefined): string | null {
  const beside = dirname(findInstallation(facts).program);
  const packaged = join(beside, "..", "..", MODEL_PACKAGE);
  const folders = [...placesOf(facts, baseUrl).directories, beside, packaged];
  const found = folders.flatMap((folder) => [
    join(folder, MULTILINGUAL.archive),
    join(folder, MULTILINGUAL.folder),
  ]);
  return (
    found.find((path) =>
      path.endsWith(MULTILINGUAL.folder)
        ? statIfExists(join(path, "config.json"))?.isFile()
        : statIfExists(path)?.isFile(),
    ) ?? null
  );
}

/** Returns the URL of a release that may have the archive; null if none is known. */
export function multilingualAddress(
  facts: Pick<InstallationFacts, "homeDir">,
  baseUrl: string | undefined,
): string | null {
  return placesOf(facts, baseUrl).addresses[0] ?? null;
}

function placesOf(
  { homeDir }: Pick<InstallationFacts, "homeDir">,
  baseUrl: string | undefined,
): ReleasePlaces {
  const named = [baseUrl, installedFrom(homeDir)].flatMap((place) => place?.replace(/(?<!\/)\/+$/, "") || []);
  return {
    directories: named.filter((place) => isAbsolute(place)),
    addresses: named.filter((place) => ADDRESS.test(place)),
  };
}

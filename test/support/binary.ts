import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, renameSync, statSync, utimesSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** Where a project's sources, the tools that build it, and its binary are. */
export interface Build {
  root: string;
  /** Files and directories, relative to the root; everything below them counts. */
  sources: readonly string[];
  binary: string;
  /** The command that builds, to which `--outfile` and a file are added. */
  command: readonly string[];
}

const ROOT = resolve(import.meta.dir, "../..");

export const PROJECT: Build = {
  root: ROOT,
  sources: ["src", ".github/docs", "build.ts", "package.json", "bun.lock", "tsconfig.json"],
  binary: join(ROOT, "dist", process.platform === "win32" ? "mementor.exe" : "mementor"),
  command: [process.execPath, "build.ts"],
};

/**
 * Returns the path of a binary that no source is newer than, building it where it is missing or stale. Processes that
 * come at the same time build it once; those that run the old one keep it.
 */
export function freshBinary(build: Build = PROJECT): string {
  if (isFresh(build)) return build.binary;
  mkdirSync(join(build.binary, ".."), { recursive: true });
  using lock = new Database(join(build.binary, "..", "build.lock"));
  lock.run("PRAGMA busy_timeout = 300000");
  lock.run("BEGIN EXCLUSIVE");
  if (!isFresh(build)) rebuild(build);
  return build.binary;
}

function rebuild({ root, binary, command }: Build): void {
  const startedAt = new Date();
  // A binary knows its file's name: under another one its bytes would not be the same.
  const building = join(binary, "..", "building", basename(binary));
  mkdirSync(join(building, ".."), { recursive: true });
  const { exitCode, stderr, stdout } = Bun.spawnSync([...command, "--outfile", building], { cwd: root });
  if (exitCode !== 0) throw new Error(`the binary does not build:\n${stdout}${stderr}`);
  // A source that changes while it is read must look newer.
  utimesSync(building, startedAt, startedAt);
  renameSync(building, binary);
}

function isFresh({ root, sources, binary }: Build): boolean {
  const built = statSync(binary, { throwIfNoEntry: false })?.mtimeMs;
  return built !== undefined && sources.every((source) => isOlder(join(root, source), built));
}

/** A directory's time tells of files that are new or gone. */
function isOlder(path: string, time: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if (stats.mtimeMs > time) return false;
  return !stats.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), time));
}

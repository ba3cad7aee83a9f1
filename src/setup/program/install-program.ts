import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";
import { ioError } from "../../io/errors.ts";
import { readIfExists, realPathIfExists, statIfExists } from "../../io/read.ts";
import { SYSTEM, temporaryName } from "../../io/system.ts";
import { ensurePrivateDir } from "../../io/write.ts";
import { shWord } from "../../text/lines.ts";
import { PROGRAM_PATH } from "../settings/hook-entries.ts";

/** How the program is started, and for which user it is installed. */
interface ProgramSource {
  homeDir: string;
  /** The command that starts this program: the binary, or the runtime and the entry file. */
  self: readonly string[];
  platform: NodeJS.Platform;
}

/** Returns the file that hooks start. */
export function installedProgram({ homeDir, platform }: Omit<ProgramSource, "self">): string {
  return join(homeDir, ...PROGRAM_PATH.split("/")) + (platform === "win32" ? ".exe" : "");
}

/**
 * Installs this program where hooks look for it. Does so in one step, so that no hook finds an incomplete file. Uses
 * a hard link if possible, which takes no space and follows an upgrade that writes into the same file; otherwise a
 * copy.
 *
 * @throws `io` when it cannot be installed.
 */
export function installProgram(source: ProgramSource): "installed" | "unchanged" {
  const target = installedProgram(source);
  const [program = "", ...args] = source.self;
  if (source.platform === "win32" && args.length > 0)
    throw new MementorError("io", "On Windows, hooks start only the compiled program.", {
      hint: 'Run "bun run build", then use dist\\mementor.exe.',
    });
  if (isInstalled(source)) return "unchanged";
  const draft = temporaryName(target);
  try {
    for (const path of [dirname(dirname(target)), dirname(target)]) ensurePrivateDir(path);
    if (args.length > 0) writeFileSync(draft, launcher(source.self), { mode: 0o755 });
    else linkOrCopy(realPathIfExists(program) ?? program, draft);
    SYSTEM.replace(draft, target);
    return "installed";
  } catch (error) {
    throw ioError(error, `install ${target}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Tells whether hooks start this program: the same file, or a copy with its size and time. */
export function isInstalled(source: ProgramSource): boolean {
  const target = installedProgram(source);
  const [program = "", ...args] = source.self;
  if (args.length > 0)
    return statIfExists(target)?.isFile() === true && readStart(target) === launcher(source.self);
  const [there, own] = [statIfExists(target), statIfExists(program)];
  if (!there || !own) return false;
  if (there.ino === own.ino && there.dev === own.dev) return true;
  return there.size === own.size && Math.trunc(there.mtimeMs) === Math.trunc(own.mtimeMs);
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // The file is on another file system, or its owner does not allow a link.
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    chmodSync(to, 0o755);
    const { atime, mtime } = statIfExists(from) ?? { atime: new Date(), mtime: new Date() };
    utimesSync(to, atime, mtime);
  }
}

/** Returns a script that starts a program from its sources. */
function launcher(self: readonly string[]): string {
  return `#!/bin/sh\nexec ${self.map(shWord).join(" ")} "$@"\n`;
}

function readStart(file: string): string | null {
  return (statIfExists(file)?.size ?? 0) < 10_000 ? readIfExists(file) : null;
}

/** Returns the path of the `mementor` that a shell finds with this `PATH`; null when there is none. */
export function mementorOnPath(path: string, platform: NodeJS.Platform): string | null {
  return programOnPath("mementor", path, platform);
}

/** Returns the program of this name that a shell finds with this `PATH`; null when there is none. */
export function programOnPath(program: string, path: string, platform: NodeJS.Platform): string | null {
  const name = platform === "win32" ? `${program}.exe` : program;
  const candidates = path.split(delimiter).filter((directory) => directory !== "");
  return candidates.map((directory) => join(directory, name)).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statIfExists(file)?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** The line for a shell that lets it find the program by its name, after all others of that name. */
export const PATH_LINE = `export PATH="$PATH:$HOME/${PROGRAM_PATH.replace(/\/[^/]+$/, "")}"`;

/** Returns the command by which an agent calls the program: its name, or its path if a shell would not find the name. */
export function programCall(host: Pick<Host, "env" | "homeDir" | "platform">): string {
  const isFound = mementorOnPath(host.env.PATH ?? "", host.platform) !== null;
  return isFound ? "mementor" : programByPath(host);
}

/** Returns how a shell calls the program by its path, with slashes that Git Bash takes, too. */
function programByPath(host: Pick<Host, "homeDir" | "platform">): string {
  const program = installedProgram(host);
  return shWord(host.platform === "win32" ? program.replaceAll("\\", "/") : program);
}

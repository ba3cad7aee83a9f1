import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";
import { realPathIfExists, statIfExists } from "../../io/read.ts";
import type { Runtime } from "../../runtime.ts";
import { hasUtf8Locale, toAscii } from "../../text/invisible.ts";

/**
 * Prints a text, given whole or as parts of whole lines, which are made on demand. On a terminal, uses the user's pager unless
 * `wanted` is false. `form` is that of `Output.write`.
 */
export async function printPaged(
  { stdout, env, platform }: Host,
  text: string | Iterable<string>,
  wanted: boolean,
  form?: "whole",
): Promise<void> {
  const command = wanted && stdout.isTerminal ? pagerCommand(env, platform) : null;
  const parts = (typeof text === "string" ? [text] : text)[Symbol.iterator]();
  const taken: string[] = [];
  const write = () => {
    for (const part of taken) stdout.write(part, form);
    for (let next = parts.next(); !next.done; next = parts.next()) stdout.write(next.value, form);
  };
  if (command === null) return write();
  const ignore = () => {};
  // Ctrl-C goes to the pager. If mementor ended first, the pager would be left on a terminal in its own mode.
  process.on("SIGINT", ignore);
  try {
    const child = Bun.spawn(command, {
      stdin: new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = parts.next();
          if (next.done) return controller.close();
          taken.push(next.value);
          const columns = form === "whole" ? null : stdout.columns;
          controller.enqueue(Buffer.from(await fitForPager(next.value, columns, hasUtf8Locale(env))));
        },
      }),
      stdout: "inherit",
      stderr: "inherit",
      // A text that fits on the screen is printed and stays there.
      env: { LESS: "FRX", ...env },
    });
    if ((await child.exited) === NOT_FOUND) write();
  } catch {
    write();
  } finally {
    process.off("SIGINT", ignore);
  }
}

/** Fits a text to the terminal, because the pager writes there without our writer. */
async function fitForPager(text: string, columns: number | null, hasUnicode: boolean): Promise<string> {
  const { fitToWidth } = await import("../../text/width.ts");
  const shown = hasUnicode ? text : toAscii(text);
  return columns === null ? shown : fitToWidth(shown, columns, hasUnicode ? "…" : "...");
}

/** Exit code of a shell for a command that does not exist. */
const NOT_FOUND = 127;

function pagerCommand(env: Host["env"], platform: Host["platform"]): string[] | null {
  if ((env.NO_PAGER ?? "") !== "" || env.TERM === "dumb" || platform === "win32") return null;
  if (env.PAGER === undefined)
    return Bun.which("less", { PATH: env.PATH ?? "" }) === null ? null : ["less", "-R"];
  return env.PAGER === "" || env.PAGER === "cat" ? null : ["/bin/sh", "-c", env.PAGER];
}

const SQLITE_HEADER = "SQLite format 3\0";

/**
 * Returns the absolute path of a file to write. Throws `usage` when it must not be written: a directory or a link to
 * one, a device or pipe, a database, or anything that belongs to a memory or to mementor.
 */
export function outputFile(typed: string, option: string, runtime: Runtime): string {
  const file = resolve(runtime.host.cwd, typed);
  const reason = refusal(file, runtime);
  if (reason === null) return file;
  throw new MementorError("usage", `Cannot write to ${file}: ${reason}.`, {
    hint: `Name another file with ${option}.`,
  });
}

function refusal(file: string, runtime: Runtime): string | null {
  const { paths } = runtime;
  const memory = runtime.databaseUrl === null ? runtime.memory : null;
  const found = statIfExists(file);
  if (found?.isDirectory()) return "it is a directory";
  if (found && !found.isFile()) return "it is not an ordinary file";
  const real =
    realPathIfExists(file) ?? join(realPathIfExists(dirname(file)) ?? dirname(file), basename(file));
  if (isOfMemory(file, memory) || isOfMemory(real, memory)) return "it belongs to the memory";
  const directories = [paths.dataDir, paths.configDir];
  if (directories.some((directory) => isInside(file, directory) || isInside(real, directory)))
    return "it belongs to mementor";
  return found && startsAsDatabase(file) ? "it is a database" : null;
}

/** Tells whether a path belongs to a memory: to this one, or by its directory's name to any. */
function isOfMemory(path: string, memory: Runtime["memory"] | null): boolean {
  return path.toLowerCase().split(sep).includes(".mementor") || (memory !== null && isInMemory(path, memory));
}

function isInMemory(path: string, { databaseFile, directory }: Runtime["memory"]): boolean {
  const database = realPathIfExists(databaseFile) ?? databaseFile;
  const ofDatabase = ["", "-wal", "-shm", "-journal"].map((suffix) => database + suffix);
  return ofDatabase.includes(path) || (directory !== null && isInside(path, directory));
}

function isInside(path: string, directory: string): boolean {
  return path.startsWith((realPathIfExists(directory) ?? directory) + sep);
}

function startsAsDatabase(path: string): boolean {
  try {
    const descriptor = openSync(path, "r");
    try {
      const head = Buffer.alloc(SQLITE_HEADER.length);
      return readSync(descriptor, head) === head.length && head.toString("latin1") === SQLITE_HEADER;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // A file that cannot be read cannot be checked. Writing it will report the reason.
    return false;
  }
}

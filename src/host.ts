import type { Interface } from "node:readline";

/** The process as the program sees it. `main.ts` creates the real one; tests create others. */
export interface Host {
  /** The arguments after the program's name. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Variables that pointed into the project, and so were removed from `env`. */
  refused?: readonly string[];
  cwd: string;
  homeDir: string;
  tempDir: string;
  /** Numeric user id; null on platforms without user ids. */
  uid: number | null;
  platform: NodeJS.Platform;
  /** The command that starts this program: the binary, or the runtime and the entry file. */
  self: readonly string[];
  /** Wall clock. */
  now(): Date;
  /** Monotonic clock, in ms since the process started. */
  elapsedMs(): number;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** Aborts at the first Ctrl-C or SIGTERM, so that work can stop at a safe point. The second ends the process. */
  interrupted(): AbortSignal;
}

export interface Input {
  isTerminal: boolean;
  /**
   * True for a file of the user's, as after `< notes.md`, but not for a heredoc or a pipe, which have no name. Always false on
   * Windows, where this is unknown.
   */
  isNamedFile: boolean;
  /** Resolves to the whole input, or null when it is longer than `limit` bytes. Reads to the end in either case. */
  read(limit: number): Promise<Uint8Array | null>;
  /** Resolves to a line without its line break; null at the end of the input. */
  readLine(): Promise<string | null>;
  /** Yields the bytes as they arrive, until the end of the input. */
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Output {
  isTerminal: boolean;
  /** Width in characters; null when unknown. */
  columns: number | null;
  /**
   * Writes a text. Never throws, so that started work continues: a closed pipe is not an error, and other errors are kept in
   * `failure`. With `whole`, no line breaks are inserted, however narrow the terminal: for lines to be copied, such as commands.
   */
  write(text: string, form?: "whole"): void;
  /** The system's error that cut the output short, such as a full disk. Nothing is written after it. */
  readonly failure?: unknown;
}

/** Returns an output that changes each text before it writes it. */
export function transformOutput(
  output: Output,
  change: (text: string, form: "whole" | undefined) => string,
): Output {
  return {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    write(text, form) {
      output.write(change(text, form), form);
    },
    get failure() {
      return output.failure;
    },
  };
}

/** Returns the real process as a `Host`. */
export function createHost(proc: NodeJS.Process): Host {
  const { env } = proc;
  return {
    argv: proc.argv.slice(2),
    env,
    get cwd() {
      return currentDirectory(proc);
    },
    get homeDir() {
      return env.HOME ?? process.getBuiltinModule("node:os").homedir();
    },
    get tempDir() {
      return process.getBuiltinModule("node:os").tmpdir();
    },
    get uid() {
      return proc.getuid?.() ?? null;
    },
    platform: proc.platform,
    get self() {
      return isCompiled() ? [proc.execPath] : [proc.execPath, Bun.main];
    },
    now: clock(env),
    elapsedMs: () => performance.now(),
    stdin: input(() => proc.stdin),
    stdout: output(1, () => proc.stdout),
    stderr: output(2, () => proc.stderr),
    interrupted: interruption(proc),
  };
}

/** Name of the variable that fixes the current time, so that printed texts can be compared. */
export const TIME_VARIABLE = "MEMENTOR_NOW";

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the time in `MEMENTOR_NOW`, ISO 8601 with a zone; null if it has none. */
export function fixedTime(env: Host["env"]): Date | null {
  const typed = env[TIME_VARIABLE] ?? "";
  const time = new Date(ISO_TIME.test(typed) ? typed : Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** Name of the variable that gives hooks and questions more time. */
export const PATIENCE_VARIABLE = "MEMENTOR_PATIENCE";

const MOST_PATIENCE = 100;

/**
 * Returns the factor, from 1 to 100, for a hook's time limit and for the time that a question waits for its model. Ignores an
 * invalid value, because a hook must not fail for it.
 */
export function readPatience(env: Host["env"]): number {
  const asked = Number(env[PATIENCE_VARIABLE]);
  return asked >= 1 && asked <= MOST_PATIENCE ? asked : 1;
}

/** Returns the clock. Ignores an invalid variable, because a hook must not fail for it. */
function clock(env: Host["env"]): () => Date {
  const fixed = env[TIME_VARIABLE] === undefined ? null : fixedTime(env);
  return fixed === null ? () => new Date() : () => new Date(fixed);
}

/** Tells whether this is the compiled binary. Its modules are in a virtual file system. */
function isCompiled(): boolean {
  return Bun.main.startsWith("/$bunfs/") || /^[A-Z]:[\\/]~BUN[\\/]/.test(Bun.main);
}

/** Returns the current directory. It has no path if it was deleted while a shell was in it, and hooks must not fail then. */
function currentDirectory(proc: NodeJS.Process): string {
  try {
    return proc.cwd();
  } catch {
    return proc.env.PWD ?? "/";
  }
}

function input(stdin: () => NodeJS.ReadStream): Input {
  let lines: AsyncIterator<string> | null = null;
  let reader: Interface | null = null;
  return {
    get isTerminal() {
      return isTerminal(0);
    },
    get isNamedFile() {
      return isNamedFile(0);
    },
    read: (limit) => readAtMost(Bun.stdin.stream(), limit),
    async readLine() {
      const { createInterface } = await import("node:readline");
      reader ??= createInterface({ input: stdin() });
      lines ??= reader[Symbol.asyncIterator]();
      const { value, done } = await lines.next();
      return done ? null : value;
    },
    chunks: () => Bun.stdin.stream(),
  };
}

async function readAtMost(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    if (size <= limit) parts.push(part);
    else parts.length = 0;
  }
  return size <= limit ? Buffer.concat(parts) : null;
}

// Modules of the runtime are loaded here at first use, because each takes a part of a hook's time.
function isTerminal(fd: number): boolean {
  return mayBeTerminal(fd) && process.getBuiltinModule("node:tty").isatty(fd);
}

/**
 * Tells whether a descriptor may be a terminal. False for a pipe, a file or the null device, so that `node:tty` is not loaded,
 * which takes half as long as starting a program.
 */
function mayBeTerminal(fd: number): boolean {
  if (process.platform === "win32") return true;
  const { fstatSync, statSync } = process.getBuiltinModule("node:fs");
  try {
    const device = fstatSync(fd);
    return device.isCharacterDevice() && device.rdev !== statSync("/dev/null").rdev;
  } catch {
    return true;
  }
}

function isNamedFile(fd: number): boolean {
  if (process.platform === "win32") return false;
  try {
    const stats = process.getBuiltinModule("node:fs").fstatSync(fd);
    return stats.isFile() && stats.nlink > 0;
  } catch {
    return false;
  }
}

/** Writes synchronously: nothing is lost when the process exits, and no stream has to be set up. */
function output(fd: number, stream: () => NodeJS.WriteStream): Output {
  let failure: unknown;
  return {
    get isTerminal() {
      return isTerminal(fd);
    },
    get columns() {
      // A terminal of unknown width reports 0.
      return isTerminal(fd) ? stream().columns || null : null;
    },
    write(text) {
      if (failure === undefined) failure = writeFully(fd, Buffer.from(text));
    },
    get failure() {
      return failure;
    },
  };
}

/** Returns the error that stopped the output; undefined when everything was written, or the reader has gone. */
function writeFully(fd: number, bytes: Buffer): unknown {
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += process.getBuiltinModule("node:fs").writeSync(fd, bytes, offset);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : null;
      if (code !== "EAGAIN") return code === "EPIPE" || code === "EOF" ? undefined : error;
      Bun.sleepSync(1);
    }
  }
  return undefined;
}

function interruption(proc: NodeJS.Process): () => AbortSignal {
  let controller: AbortController | null = null;
  return () => {
    if (controller) return controller.signal;
    const created = new AbortController();
    controller = created;
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const)
      proc.on(signal, () => (created.signal.aborted ? proc.kill(proc.pid, "SIGKILL") : created.abort(code)));
    return created.signal;
  };
}

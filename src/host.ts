import type { Interface } from "node:readline";

/** The process as the rest of the program sees it. `main.ts` creates the real one; tests create others. */
export interface Host {
  /** The arguments after the program's name. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Variables that led into the project, and so were taken out of `env`. */
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
  /** Whether it is a file of the user's, as after `< notes.md`: a heredoc and a pipe have no name. Unknown on Windows, and so false. */
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
   * Never throws, since work that has begun goes on: a closed pipe is no error, and any other is kept in `failure`. Lines that
   * are there to be copied, such as commands, are written `whole`: no line break is put into them, however narrow the
   * terminal is.
   */
  write(text: string, form?: "whole"): void;
  /** Why the output is not whole, as on a full disk: the error of the system. Nothing is written after it. */
  readonly failure?: unknown;
}

/** Returns an output that changes each text before it writes it. */
export function changing(
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

/** The name of the variable that stops the clock, so that what is printed can be compared. */
export const FIXED_TIME = "MEMENTOR_NOW";

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the time that `MEMENTOR_NOW` names, or null when it names none: ISO 8601 with a zone. */
export function fixedTime(env: Host["env"]): Date | null {
  const typed = env[FIXED_TIME] ?? "";
  const time = new Date(ISO_TIME.test(typed) ? typed : Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** The variable that gives hooks and questions more time. */
export const PATIENCE = "MEMENTOR_PATIENCE";

const MOST_PATIENCE = 100;

/**
 * Returns so many times as long as usual a hook may take and a question waits for its model: from 1 to 100. A value that
 * says something else is ignored, since a hook must not fail for it.
 */
export function patienceOf(env: Host["env"]): number {
  const asked = Number(env[PATIENCE]);
  return asked >= 1 && asked <= MOST_PATIENCE ? asked : 1;
}

/** The clock. A variable that names no time is ignored here, since a hook must not fail for it. */
function clock(env: Host["env"]): () => Date {
  const fixed = env[FIXED_TIME] === undefined ? null : fixedTime(env);
  return fixed === null ? () => new Date() : () => new Date(fixed);
}

/** Whether this is the compiled binary. Its modules are in a virtual file system. */
function isCompiled(): boolean {
  return Bun.main.startsWith("/$bunfs/") || /^[A-Z]:[\\/]~BUN[\\/]/.test(Bun.main);
}

/** The current directory. It has no path if it was deleted while a shell was in it, and hooks must not fail then. */
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

// Modules of the runtime are loaded at first use here: each takes a part of the time that a hook has.
function isTerminal(fd: number): boolean {
  return mayBeTerminal(fd) && process.getBuiltinModule("node:tty").isatty(fd);
}

/**
 * False for what is surely no terminal: a pipe, a file, the null device. Then `node:tty` is not loaded, which takes half as
 * long as to start a program.
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
      // A terminal that does not know its width says 0.
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

/** Returns the error that kept the rest from being written; undefined where all was, or whoever read it has gone. */
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

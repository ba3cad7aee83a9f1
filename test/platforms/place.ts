import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { PATIENCE_VARIABLE } from "../../src/host.ts";
import { until } from "../support/wait.ts";

/** What starts a program of another platform here. */
export interface Runner {
  kind: "own" | "root" | "wine";
  /** Words before the program. */
  words: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The tree that the program sees as its whole system. */
  root?: string;
  /** Whether a start takes many times as long as usual, so that only what is essential is tried. */
  isSlow?: boolean;
}

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** One start of a program. Paths are those of this machine. */
export interface Start {
  stdin?: string;
  cwd?: string;
  program?: string;
  env?: Readonly<Record<string, string>>;
}

/** Starts as long as none takes more, ms. */
const LIMIT_MS = 300_000;
const MOUNTED = `for d in proc sys dev tmp; do mkdir -p "$ROOT/$d" && mount --rbind /$d "$ROOT/$d" || exit 99; done`;

/** A home and a project in which one binary is tried, through whatever runs it. */
export class Place implements Disposable {
  readonly name: string;
  readonly runner: Runner;
  readonly isWindows: boolean;
  /** Holds all that a trial writes. Its own name has no space. */
  readonly top: string;
  readonly home: string;
  readonly project: string;
  readonly program: string;
  /** A directory on another drive; null where there is none. */
  readonly otherDrive: string | null;
  /** This machine's own binary, beside one of another system; null where there is none. */
  readonly neighbour: string | null;
  #starts = 0;

  private constructor(name: string, runner: Runner, top: string, neighbour: string | null) {
    this.name = name;
    this.neighbour = neighbour;
    this.runner = runner;
    const isWine = runner.kind === "wine";
    this.isWindows = isWine || (runner.kind === "own" && process.platform === "win32");
    this.top = top;
    const drive = isWine ? join(top, "pfx", "drive_c") : top;
    this.home = isWine ? join(drive, "users", "root") : join(top, "home");
    this.project = join(drive, "project");
    this.program = join(drive, "from", this.isWindows ? "mementor.exe" : "mementor");
    this.otherDrive = isWine ? join(top, "drive_d") : null;
  }

  static async make(
    name: string,
    binary: string,
    runner: Runner,
    neighbour: string | null = null,
  ): Promise<Place> {
    // The systems that are laid out share this directory with this machine.
    const top = mkdtempSync(
      join(runner.kind === "own" ? realpathSync.native(tmpdir()) : "/tmp", "mementor-platform-"),
    );
    const place = new Place(name, runner, top, neighbour);
    if (runner.kind === "wine") await place.#makePrefix();
    mkdirSync(place.home, { recursive: true });
    makeProject(place.project);
    mkdirSync(join(place.program, ".."), { recursive: true });
    await linkOrCopy(binary, place.program);
    return place;
  }

  async #makePrefix(): Promise<void> {
    await this.#ended(this.#wine([], "/", ["wineboot", "-i"]), {}, "");
    mkdirSync(this.otherDrive ?? "", { recursive: true });
    symlinkSync("../../drive_d", join(this.top, "pfx", "dosdevices", "d:"));
  }

  /** Returns the path of a file of this machine as the platform names it. */
  named(path: string): string {
    if (this.runner.kind !== "wine") return path;
    const drives = { C: join(this.top, "pfx", "drive_c"), D: this.otherDrive ?? "/", Z: "/" };
    const [letter, drive] = Object.entries(drives).find(([, at]) => !relative(at, path).startsWith("..")) ?? [
      "Z",
      "/",
    ];
    return `${letter}:\\${relative(drive, path).replaceAll("/", "\\")}`;
  }

  /** Runs the program to its end. */
  run(args: readonly string[], start: Start = {}): Promise<Ended> {
    const { cwd = this.project, program = this.program, env = {}, stdin = "" } = start;
    return this.#ended(this.#command(this.named(program), args, cwd, env), env, stdin, cwd);
  }

  /** Runs the program and fails unless it ends with 0; resolves to what it printed. */
  async ok(args: readonly string[], start: Start = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(args, start);
    if (exitCode !== 0)
      throw new Error(`${args.slice(0, 3).join(" ")} ended with ${exitCode}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Starts a program of the platform, such as a shell, by its name there. */
  system(program: string, args: readonly string[], start: Start = {}): Promise<Ended> {
    const { cwd = this.project, env = {}, stdin = "" } = start;
    return this.#ended(this.#command(program, args, cwd, env), env, stdin, cwd);
  }

  /** Keeps the MCP server running until it is stopped, from the time on when it has answered. */
  async serve(program = this.program): Promise<{ stop(): Promise<void> }> {
    const [asked, answers] = this.#streams();
    writeFileSync(asked, ASKS);
    const name = this.named(program);
    // A pipe of Linux is none to Wine, and only cmd has one of Windows.
    const words = this.isWindows
      ? this.#command(
          "cmd",
          ["/c", `(type ${this.named(asked)} & ping -n 9 127.0.0.1) | ${name} mcp`],
          this.project,
          {},
        )
      : this.#command(name, ["mcp"], this.project, {});
    const child = Bun.spawn(words, {
      cwd: this.runner.kind === "wine" ? this.top : this.project,
      env: this.#env({}),
      stdin: this.isWindows ? "ignore" : "pipe",
      stdout: Bun.file(answers),
      stderr: "ignore",
    });
    child.stdin?.write(ASKS);
    child.stdin?.flush();
    await until("the server answers", async () => (await Bun.file(answers).text()).includes('"id":2'));
    return {
      stop: async () => {
        await child.stdin?.end();
        await child.exited;
      },
    };
  }

  #command(program: string, args: readonly string[], cwd: string, env: Start["env"]): string[] {
    const { kind, words, root } = this.runner;
    if (kind === "wine") {
      const pairs = Object.entries({ [PATIENCE_VARIABLE]: "40", ...env }).map(
        ([name, value]) => `${name}=${value}`,
      );
      return this.#wine(pairs, cwd, ["wine", program, ...args]);
    }
    if (root === undefined) return [...words, program, ...args];
    const line = `${MOUNTED}; r=$ROOT; unset ROOT; exec unshare --root="$r" --wd="$PWD" "$@"`;
    return ["unshare", "-m", "env", `ROOT=${root}`, "bash", "-c", line, "sh", ...words, program, ...args];
  }

  #wine(pairs: readonly string[], cwd: string, words: readonly string[]): string[] {
    const env = [
      "PATH=/usr/bin:/bin",
      `HOME=${this.top}`,
      "XDG_RUNTIME_DIR=/tmp",
      `WINEPREFIX=${join(this.top, "pfx")}`,
      "WINEDEBUG=-all",
      "WINEDLLOVERRIDES=mscoree,mshtml=",
      ...pairs,
    ];
    const line = `${MOUNTED}; exec chroot "$ROOT" "$@"`;
    const start = ["sh", "-c", 'cd "$0" && exec "$@"', cwd, ...words];
    return [
      "unshare",
      "-m",
      "env",
      `ROOT=${this.runner.root}`,
      "bash",
      "-c",
      line,
      "sh",
      "env",
      "-i",
      ...env,
      ...start,
    ];
  }

  #env(env: Start["env"]): Record<string, string> {
    const kept = this.isWindows
      ? ["PATH", "Path", "SystemRoot", "SYSTEMROOT", "ComSpec", "PATHEXT"]
      : ["PATH"];
    const own = Object.fromEntries(
      kept.flatMap((name) => {
        const value = process.env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const home = this.isWindows
      ? {
          USERPROFILE: this.home,
          LOCALAPPDATA: join(this.home, "AppData", "Local"),
          TEMP: this.top,
          TMP: this.top,
        }
      : { HOME: this.home, TMPDIR: this.top };
    return { ...own, ...home, [PATIENCE_VARIABLE]: "40", ...this.runner.env, ...env };
  }

  async #ended(words: string[], env: Start["env"], stdin: string, cwd = this.top): Promise<Ended> {
    // Files, since services of Wine keep a pipe open that they were started with, and a pipe is no input to it.
    const [input, output, errors] = this.#streams();
    writeFileSync(input, stdin);
    const child = Bun.spawn(words, {
      cwd: this.runner.kind === "wine" ? this.top : cwd,
      env: this.#env(env),
      stdin: Bun.file(input),
      stdout: Bun.file(output),
      stderr: Bun.file(errors),
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
    });
    const exitCode = await child.exited;
    const [stdout, stderr] = await Promise.all([Bun.file(output).text(), Bun.file(errors).text()]);
    for (const file of [input, output, errors]) rmSync(file, { force: true });
    return { exitCode, stdout, stderr };
  }

  #streams(): [input: string, output: string, errors: string] {
    const id = ++this.#starts;
    return [join(this.top, `stdin-${id}`), join(this.top, `stdout-${id}`), join(this.top, `stderr-${id}`)];
  }

  [Symbol.dispose](): void {
    rmSync(this.top, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const ASKS = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
  "",
].join("\n");

/** Makes a directory that looks like a repository. */
export function makeProject(directory: string): string {
  mkdirSync(join(directory, ".git"), { recursive: true });
  writeFileSync(join(directory, ".git", "HEAD"), "ref: refs/heads/main\n");
  return directory;
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to);
  } catch {
    await copyFile(from, to);
  }
}

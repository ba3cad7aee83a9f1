import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshBinary } from "./binary.ts";
import { memoryPlace } from "./place.ts";

/** The compiled binary under test, built anew when a source is newer; `MEMENTOR_TEST_BINARY` names another. */
export const BINARY = process.env.MEMENTOR_TEST_BINARY ?? freshBinary();

export interface RunOptions {
  cwd?: string;
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  timeoutMs?: number;
}

export interface RunResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  ms: number;
  /** Peak resident memory, bytes. */
  maxRss: number;
}

/** A fresh HOME with a project in it, and the real binary; removed when the test is over. */
export class Sandbox implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly project: string;

  readonly #cache: Record<string, string>;

  private constructor(root: string, cacheDir: string | undefined) {
    this.root = root;
    this.#cache = cacheDir === undefined ? {} : { XDG_CACHE_HOME: cacheDir };
    this.home = join(root, "home");
    this.project = join(root, "project");
  }

  /** With `cacheDir` several sandboxes share what the binary unpacks. */
  static async create({ cacheDir }: { cacheDir?: string } = {}): Promise<Sandbox> {
    if (!existsSync(BINARY)) throw new Error(`MEMENTOR_TEST_BINARY names ${BINARY}, which is missing`);
    const sandbox = new Sandbox(await realpath(await mkdtemp(join(tmpdir(), "mementor-test-"))), cacheDir);
    for (const directory of [sandbox.home, sandbox.project, join(sandbox.project, ".git")])
      await Bun.$`mkdir -p ${directory}`.quiet();
    await Bun.write(join(sandbox.project, ".git", "HEAD"), "ref: refs/heads/main\n");
    return sandbox;
  }

  /** Where the memory of the project lies, by the registry. */
  memory(...names: string[]): string {
    return join(this.memoryOf(this.project), ...names);
  }

  /** The same of another project. */
  memoryOf(project: string): string {
    return memoryPlace(this.home, project);
  }

  /** The environment that the binary gets: nothing of the machine's but a PATH without this project's tools. */
  env(extra: Record<string, string> = {}): Record<string, string> {
    return { HOME: this.home, PATH: "/usr/bin:/bin", LANG: "C.UTF-8", ...this.#cache, ...extra };
  }

  /** Names servers in the user's settings: otherwise `--db postgres://…` connects to none that was not joined. */
  async nameServers(...servers: string[]): Promise<void> {
    await Bun.write(join(this.home, ".config/mementor/config.json"), JSON.stringify({ team: { servers } }));
  }

  start(args: readonly string[], options: RunOptions = {}) {
    return Bun.spawn([BINARY, ...args], {
      cwd: options.cwd ?? this.project,
      env: this.env(options.env),
      stdin: options.stdin === undefined ? "ignore" : Buffer.from(options.stdin),
      stdout: "pipe",
      stderr: "pipe",
      ...(options.timeoutMs && { timeout: options.timeoutMs }),
    });
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const startedAt = performance.now();
    const child = this.start(args, options);
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    const ms = performance.now() - startedAt;
    return { exitCode: child.exitCode, stdout, stderr, ms, maxRss: child.resourceUsage()?.maxRSS ?? 0 };
  }

  /** Runs a hook with its JSON input. */
  hook(event: string, input: object, options: RunOptions = {}): Promise<RunResult> {
    return this.run(["hook", event], { ...options, stdin: JSON.stringify(input) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_VARIABLE } from "../../src/host.ts";
import { freshBinary } from "./binary.ts";
import { madeOnce } from "./made-once.ts";
import { outcomeOf, type ProcessOutcome } from "./outcome.ts";
import { memoryPlace } from "./place.ts";
import { putQuickModel } from "./quick-model.ts";

/** The compiled binary under test, built anew when a source is newer; `MEMENTOR_TEST_BINARY` names another. */
export const BINARY = process.env.MEMENTOR_TEST_BINARY ?? freshBinary();

/** The model of a sandbox's binary: the built-in one, or one that takes next to no work and knows no meaning. */
type Model = "real" | "quick";

/** Where everything of the binary is unpacked, for all sandboxes: that takes a second of work. */
const caches: Partial<Record<Model, string>> = {};

async function unpacked(model: Model = "real"): Promise<string> {
  caches[model] ??= await (model === "real"
    ? madeOnce("cache", { binary: BINARY }, unpack)
    : madeOnce("quick-cache", { binary: BINARY, inputs: QUICK_INPUTS }, unpackQuick));
  return caches[model];
}

const QUICK_INPUTS = ["onnx.ts", "quick-model.ts"]
  .map((name) => readFileSync(join(import.meta.dir, name), "utf8"))
  .join("");

async function unpackQuick(directory: string): Promise<void> {
  await unpack(directory);
  const homes = readdirSync(join(directory, "mementor")).map((name) => join(directory, "mementor", name));
  for (const home of homes) await putQuickModel(home);
}

async function unpack(directory: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "mementor-test-"));
  const env = { HOME: home, PATH: "/usr/bin:/bin", XDG_CACHE_HOME: directory };
  const child = Bun.spawn([BINARY, "prepare"], { env, stdout: "ignore", stderr: "pipe" });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  await rm(home, { recursive: true, force: true });
  if (exitCode !== 0) throw new Error(`mementor prepare: ${stderr}`);
}

/**
 * Lets the binary compile later what it runs often: a run of a test is over before that pays, and it is a fifth of its work.
 */
const COMPILE_LATER = Object.fromEntries(
  [
    ["thresholdForJITSoon", 1_000],
    ["thresholdForJITAfterWarmUp", 2_000],
    ["thresholdForOptimizeSoon", 100_000],
    ["thresholdForOptimizeAfterWarmUp", 100_000],
    ["thresholdForOptimizeAfterLongWarmUp", 100_000],
  ].map(([option, count]) => [`BUN_JSC_${option}`, String(count)]),
);

/** For tests of the deadline itself. */
export const IMPATIENT = { [PATIENCE_VARIABLE]: "1" };

export interface RunOptions {
  cwd?: string;
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  timeoutMs?: number;
}

export interface RunResult extends ProcessOutcome {
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

  private constructor(root: string, cacheDir: string | null) {
    this.root = root;
    this.#cache = cacheDir === null ? {} : { XDG_CACHE_HOME: cacheDir };
    this.home = join(root, "home");
    this.project = join(root, "project");
  }

  /**
   * @param cacheDir where the binary unpacks its files: all sandboxes share them without it; `null` is that of an empty
   * HOME, and `"copy"` the same with a copy of what all share, for what removes it.
   * @param model `"quick"` where a test looks at nothing that the meaning of texts decides.
   */
  static async create({
    cacheDir,
    model,
  }: {
    cacheDir?: string | null;
    model?: Model;
  } = {}): Promise<Sandbox> {
    if (!existsSync(BINARY)) throw new Error(`MEMENTOR_TEST_BINARY names ${BINARY}, which is missing`);
    const root = await realpath(await mkdtemp(join(tmpdir(), "mementor-test-")));
    const isCopy = cacheDir === "copy";
    const sandbox = new Sandbox(
      root,
      cacheDir === undefined ? await unpacked(model) : isCopy ? null : cacheDir,
    );
    if (isCopy)
      await cp(join(await unpacked(), "mementor"), join(sandbox.home, ".cache/mementor"), {
        recursive: true,
      });
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

  /**
   * The environment that the binary gets: nothing of the machine's but a PATH without this project's tools. Hooks have time,
   * so that they say the same on a machine that is busy; `IMPATIENT` gives them the time that they have for users.
   */
  env(extra: Record<string, string> = {}): Record<string, string> {
    const own = { HOME: this.home, PATH: "/usr/bin:/bin", LANG: "C.UTF-8", [PATIENCE_VARIABLE]: "20" };
    return { ...own, ...COMPILE_LATER, ...this.#cache, ...extra };
  }

  /** Names servers in the user's settings: otherwise `--db postgres://…` connects to none that was not joined. */
  async nameServers(...servers: string[]): Promise<void> {
    await Bun.write(join(this.home, ".config/mementor/config.json"), JSON.stringify({ team: { servers } }));
  }

  start(args: readonly string[], options: RunOptions = {}) {
    if (
      args[0] === "uninstall" &&
      !args.includes("--help") &&
      Object.values(caches).includes(this.#cache.XDG_CACHE_HOME ?? "")
    )
      throw new Error("an uninstall would remove what all sandboxes share: give this one a cacheDir");
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
    const outcome = await outcomeOf(child);
    const ms = performance.now() - startedAt;
    return { ...outcome, ms, maxRss: child.resourceUsage()?.maxRSS ?? 0 };
  }

  /** Runs a hook with its JSON input. */
  hook(event: string, input: object, options: RunOptions = {}): Promise<RunResult> {
    return this.run(["hook", event], { ...options, stdin: JSON.stringify(input) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

import { resolve } from "node:path";
import type { BunPlugin } from "bun";
import { PLATFORMS, type Platform, type Target } from "../assets/target.ts";

/** One binary to build. */
export interface Compilation {
  target: Target;
  entry: string;
  outfile: string;
  /** Module that replaces `src/assets/packed.ts`. */
  packModule: string;
}

const ROOT = resolve("src");

/**
 * Arguments of the runtime. It ends with 1 where its directory was deleted, such as a removed worktree, before any code of ours
 * runs: unless it is told to go to a directory. On Linux this one is the same by another name, with or without a path.
 */
const STAY_HERE: Readonly<Partial<Record<Platform["os"], readonly string[]>>> = {
  linux: ["--cwd=/proc/self/cwd"],
};

/** Entry of the worker threads relative to `ROOT`. The bundler does not find it by itself. */
const EMBED_WORKER = "embed/native/worker";

/**
 * Compiles one binary. With `splitting`, a lazily imported module is evaluated, and its bytecode read, at its first
 * import. Without it, every start would load all modules. Returns the names of the packages inside.
 *
 * @throws an `Error` with the log of the compiler when it fails.
 */
export async function compile({ target, entry, outfile, packModule }: Compilation): Promise<string[]> {
  const result = await Bun.build({
    entrypoints: [entry, `${ROOT}/${EMBED_WORKER}.ts`],
    root: ROOT,
    compile: {
      target: PLATFORMS[target].bun,
      outfile,
      execArgv: [...(STAY_HERE[PLATFORMS[target].os] ?? [])],
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    splitting: true,
    metafile: true,
    define: {
      MEMENTOR_COMMIT: JSON.stringify(commit()),
      MEMENTOR_TARGET: JSON.stringify(target),
      MEMENTOR_EMBED_WORKER: JSON.stringify(`./${EMBED_WORKER}.js`),
    },
    plugins: [embedAssets(packModule)],
  });
  if (!result.success) throw new Error(result.logs.join("\n"));
  return packagesOf(Object.keys(result.metafile?.inputs ?? {}));
}

/** Returns the names of the packages that files belong to, sorted. */
export function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

function embedAssets(packModule: string): BunPlugin {
  return {
    name: "embed-assets",
    setup(build) {
      build.onResolve({ filter: /\/packed\.ts$/ }, () => ({ path: packModule }));
    },
  };
}

function commit(): string {
  try {
    const { stdout, exitCode } = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], {
      stderr: "ignore",
    });
    return exitCode === 0 ? stdout.toString().trim() : "unknown";
  } catch {
    return "unknown";
  }
}

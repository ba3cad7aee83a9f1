import { availableParallelism } from "node:os";

/**
 * `bun run test [OPTION …]` runs the tests, in several processes at once. Options are those of `bun test`.
 *
 * Tests of the binary wait for it a third of their time, so there are half as many processes more than cores. The files
 * that one process runs share their modules. The engine compiles WebAssembly twice only where it runs long: most of PGlite
 * runs a few times in a test file.
 */
const PROCESSES = Math.ceil(availableParallelism() * 1.5);
/** In ms. It ends what hangs; no test depends on it. */
const TIMEOUT_MS = 600_000;
const LATE_COMPILATION = {
  BUN_JSC_thresholdForOMGOptimizeAfterWarmUp: "5000000",
  BUN_JSC_thresholdForOMGOptimizeSoon: "5000000",
};

const options = [`--parallel=${PROCESSES}`, "--no-isolate", `--timeout=${TIMEOUT_MS}`];
const { exitCode } = Bun.spawnSync([process.execPath, "test", ...options, ...process.argv.slice(2)], {
  stdio: ["inherit", "inherit", "inherit"],
  env: { ...process.env, ...LATE_COMPILATION },
});
process.exitCode = exitCode;

/**
 * Runs a program and prints how long it took, its processor time in ms, and its peak memory in bytes, as JSON. A process inherits the peak of the one that
 * started it, so programs whose memory is measured are started from here, and not from a test run with a big heap.
 */
export {};

const startedAt = performance.now();
const child = Bun.spawn(process.argv.slice(2), { stdin: "inherit", stdout: "ignore", stderr: "inherit" });
const exitCode = await child.exited;
const ms = performance.now() - startedAt;
const { maxRSS: maxRss = 0, cpuTime } = child.resourceUsage() ?? {};
process.stdout.write(JSON.stringify({ ms, cpuMs: Number(cpuTime?.total ?? 0) / 1_000, maxRss, exitCode }));

/**
 * Runs a program and prints how long it took and its peak memory as JSON. A process inherits the peak of the one that
 * started it, so programs whose memory is measured are started from here, and not from a test run with a big heap.
 */
export {};

const startedAt = performance.now();
const child = Bun.spawn(process.argv.slice(2), { stdin: "inherit", stdout: "ignore", stderr: "inherit" });
const exitCode = await child.exited;
const ms = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ ms, maxRss: child.resourceUsage()?.maxRSS ?? 0, exitCode }));

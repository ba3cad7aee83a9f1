import { createHost } from "./host.ts";

// A hook's exit code can block Claude: whatever goes wrong in one, it ends quietly.
const isHook = process.argv[2] === "hook";
if (isHook)
  for (const stray of ["uncaughtException", "unhandledRejection"]) process.on(stray, () => process.exit(0));

if (process.argv.length === 3 && process.argv[2] === "--version") {
  const { VERSION_LINE } = await import("./version.ts");
  // biome-ignore lint/suspicious/noConsole: the host's output would load modules, and this must start as fast as it can
  console.log(VERSION_LINE);
  process.exit(0);
}
const host = createHost(process);
if (isHook) {
  const { runHook } = await import("./hooks/run.ts");
  await runHook(host);
  process.exit(0);
}
const { runCli } = await import("./cli/run.ts");
process.exit(await runCli(host));

import { createHost } from "./host.ts";

// A hook's exit code can block Claude: whatever goes wrong in one, it ends quietly.
const isHook = process.argv[2] === "hook";
if (isHook)
  for (const stray of ["uncaughtException", "unhandledRejection"]) process.on(stray, () => process.exit(0));

const host = createHost(process);
if (isHook) {
  const { runHook } = await import("./hooks/run.ts");
  await runHook(host);
  process.exit(0);
}
const { runCli } = await import("./cli/run.ts");
process.exit(await runCli(host));

import { createHost } from "./host.ts";

// A hook's exit code can block Claude, so a hook ends quietly whatever goes wrong.
const isHook = process.argv[2] === "hook";
if (isHook)
  for (const stray of ["uncaughtException", "unhandledRejection"]) process.on(stray, () => process.exit(0));

if (process.argv.length === 3 && process.argv[2] === "--version") {
  const { VERSION_LINE } = await import("./version.ts");
  // The host's output would load modules, and this must start as fast as possible. It reports the error if writing fails.
  const isWritten = await Bun.write(Bun.stdout, `${VERSION_LINE}\n`).then(
    () => true,
    () => false,
  );
  if (isWritten) process.exit(0);
}
const host = createHost(process);
const { dropUntrustedVariables } = await import("./project/planted.ts");
await dropUntrustedVariables(host, host.cwd);
if (isHook) {
  const { runHook } = await import("./hooks/run.ts");
  await runHook(host);
  process.exit(0);
}
const { runCli } = await import("./cli/run.ts");
process.exit(await runCli(host));

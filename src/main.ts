import { createHost } from "./host.ts";

const host = createHost(process);
if (host.argv[0] === "hook") {
  const { runHook } = await import("./hooks/run.ts");
  await runHook(host);
  process.exit(0);
}
const { runCli } = await import("./cli.ts");
process.exit(await runCli(host));

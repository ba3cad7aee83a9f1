import { statIfExists } from "../read.ts";
import { UNTRUSTED } from "../untrusted.ts";

/** Settings that name programs, which git starts even where it only reads. */
const NAMES_NO_PROGRAM = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** Settings that keep git from fetching missing objects, replacing objects, and writing. */
const ONLY_READS = {
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};

/**
 * Runs git in a directory and returns what it prints. Null without git or the directory, after a timeout, and when git fails.
 *
 * The author of an archive controls its `.git/config`, so git must not connect anywhere or run a program named there. Nothing
 * else in mementor starts git.
 */
export async function runGit(
  directory: string,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const git = Bun.which("git", { PATH: env.PATH ?? "" });
  if (git === null || !statIfExists(directory)?.isDirectory()) return null;
  try {
    const child = Bun.spawn([git, "--no-pager", ...NAMES_NO_PROGRAM, ...words], {
      cwd: directory,
      env: { PATH: env.PATH, HOME: env.HOME, ...ONLY_READS },
      stdin: "ignore",
      stderr: "ignore",
      timeout: UNTRUSTED.gitMs,
    });
    const [text, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    return exitCode === 0 ? text : null;
  } catch {
    return null;
  }
}

import { dirname, join } from "node:path";
import { childEnvironment } from "../../io/passed-on.ts";
import { realPathIfExists } from "../../io/read.ts";
import { programOnPath } from "./install-program.ts";

/** First version of Claude Code that ignores unknown hook events, and starts a hook with `args` without a shell. */
const TAKES_LATER = "2.1.139";
/** Directories of its installers, which may not be on the PATH. */
const INSTALL_DIRECTORIES = [".local/bin", ".claude/local"];
/** Timeout for printing its version. */
const ANSWER_MS = 3_000;

/** Places where Claude Code may be, and its environment. */
export interface ClaudeHome {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  platform: NodeJS.Platform;
}

/**
 * Tells whether every Claude Code that is installed says that it takes hooks for events of later versions, and hooks without a
 * shell. False where none answers.
 */
export async function supportsLaterEvents(where: ClaudeHome, ask = askVersion): Promise<boolean> {
  const { homeDir, platform, env } = where;
  const places = [env.PATH ?? env.Path ?? "", ...INSTALL_DIRECTORIES.map((place) => join(homeDir, place))];
  const programs = places.flatMap((path) => programOnPath("claude", path, platform) ?? []);
  const different = new Map(programs.map((program) => [realPathIfExists(program), program]));
  const versions = await Promise.all([...different.values()].map((program) => ask(program, env)));
  return versions.length > 0 && versions.every(isLater);
}

function isLater(version: string | null): boolean {
  return version !== null && /^\d+\.\d+\.\d+/.test(version) && Bun.semver.order(version, TAKES_LATER) >= 0;
}

/** Returns what `claude --version` begins with; null when it does not end well in time. */
async function askVersion(program: string, env: ClaudeHome["env"]): Promise<string | null> {
  try {
    const child = Bun.spawn([program, "--version"], {
      cwd: dirname(program),
      env: childEnvironment(env),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: ANSWER_MS,
      windowsHide: true,
    });
    const said = await child.stdout.text();
    return (await child.exited) === 0 ? (said.trim().split(/\s/)[0] ?? null) : null;
  } catch {
    return null;
  }
}

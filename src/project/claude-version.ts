import { join } from "node:path";
import { programOnPath } from "./on-path.ts";

/** Claude Code from this version on passes over an event of hooks that it does not know. */
const TAKES_LATER = "2.1.139";
/** How long it may take to say its version. */
const ANSWER_MS = 3_000;

/** Where Claude Code may be, and in what it runs. */
export interface ClaudeHome {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  platform: NodeJS.Platform;
}

/** Whether the installed Claude Code says that it takes hooks for events of later versions. False where none answers. */
export async function takesLaterEvents(where: ClaudeHome, ask = askVersion): Promise<boolean> {
  const { homeDir, platform, env } = where;
  const path = [env.PATH ?? env.Path ?? "", join(homeDir, ".local/bin")].join(
    platform === "win32" ? ";" : ":",
  );
  const program = programOnPath("claude", path, platform);
  const version = program === null ? null : await ask(program, env);
  return version !== null && /^\d+\.\d+\.\d+/.test(version) && Bun.semver.order(version, TAKES_LATER) >= 0;
}

/** Returns what `claude --version` begins with; null when it does not end well in time. */
async function askVersion(program: string, env: ClaudeHome["env"]): Promise<string | null> {
  try {
    const child = Bun.spawn([program, "--version"], {
      env: { ...env },
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

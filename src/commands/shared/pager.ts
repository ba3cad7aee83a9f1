import type { Host } from "../../host.ts";

/** Prints a text, through the user's pager on a terminal unless that is not wanted. */
export async function printPaged(
  { stdout, env, platform }: Host,
  text: string,
  wanted: boolean,
): Promise<void> {
  const command = wanted && stdout.isTerminal ? pagerCommand(env, platform) : null;
  if (command === null) return stdout.write(text);
  const ignore = () => {};
  // Ctrl-C belongs to the pager, which would be left behind on a terminal in its own mode.
  process.on("SIGINT", ignore);
  try {
    const child = Bun.spawn(command, {
      stdin: new Blob([text]),
      stdout: "inherit",
      stderr: "inherit",
      // What fits on a screen is printed and stays there.
      env: { LESS: "FRX", ...env },
    });
    if ((await child.exited) === NOT_FOUND) stdout.write(text);
  } catch {
    stdout.write(text);
  } finally {
    process.off("SIGINT", ignore);
  }
}

/** What a shell says of a command that does not exist. */
const NOT_FOUND = 127;

function pagerCommand(env: Host["env"], platform: Host["platform"]): string[] | null {
  if ((env.NO_PAGER ?? "") !== "" || env.TERM === "dumb" || platform === "win32") return null;
  if (env.PAGER === undefined)
    return Bun.which("less", { PATH: env.PATH ?? "" }) === null ? null : ["less", "-R"];
  return env.PAGER === "" || env.PAGER === "cat" ? null : ["/bin/sh", "-c", env.PAGER];
}

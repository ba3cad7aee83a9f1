import type { Host } from "../host.ts";
import { ancestors, type Process, startOf } from "../io/ancestors.ts";
import { CLAUDE_CODE } from "./payload.ts";

/** Programs that stand between an agent and the hooks that it starts. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  "sh bash dash zsh fish ksh ash busybox env timeout nice setsid sudo cmd.exe powershell.exe pwsh pwsh.exe".split(
    " ",
  ),
);

/**
 * Returns the process of the agent that started a hook: the one that Claude Code names, else the nearest that is no shell;
 * null where none is known.
 */
export function agentAbove(
  client: string,
  { env, platform }: Pick<Host, "env" | "platform">,
  above: () => readonly Process[] = () => ancestors(process, platform, { canAsk: false }),
): Pick<Process, "pid" | "started"> | null {
  const named = client === CLAUDE_CODE ? Number(env.CLAUDE_PID) : 0;
  if (named > 0) return { pid: named, started: startOf(named, platform) };
  return above().find(({ name }) => name === null || !LAUNCHERS.has(name)) ?? null;
}

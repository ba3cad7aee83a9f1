import { appendFileSync } from "node:fs";
import { readIfExists } from "../io/read.ts";
import type { Runtime } from "../runtime.ts";
import { PATH_LINE, programCall } from "../setup/program-call.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { CLAUDE_CODE } from "./claude-code.ts";
import type { HookCall } from "./hook.ts";
import type { Invitation } from "./invitation-text.ts";

/** Number of turns of earlier sessions from which on a memory is worth asking. */
const MIN_TURNS = 10;

/** Returns what invites an agent to ask the memory; null where that holds too little of earlier sessions. */
export async function invitationFor(
  sessionId: string,
  program: string,
  { recall }: Pick<SqliteStore, "recall">,
): Promise<Invitation | null> {
  const { turns, sessions, since } = await recall.heldBefore(sessionId);
  return turns < MIN_TURNS ? null : { sessions, since, program };
}

/**
 * Returns how an agent calls the program from now on. Claude Code gives the hook of a session's start a file of what its
 * Bash runs first: there the program's directory goes behind the PATH, so that its bare name runs.
 */
export function callFromNowOn({ host, payload }: Pick<HookCall, "host" | "payload">): string {
  const call = programCall(host);
  const file = payload.client === CLAUDE_CODE && host.platform !== "win32" ? host.env.CLAUDE_ENV_FILE : "";
  if (call === "mementor" || !file) return call;
  try {
    const before = readIfExists(file) ?? "";
    const isApart = before === "" || before.endsWith("\n");
    if (!before.split("\n").includes(PATH_LINE)) appendFileSync(file, `${isApart ? "" : "\n"}${PATH_LINE}\n`);
    return "mementor";
  } catch {
    return call;
  }
}

/** Whether the plugin's skill says the same to the agent already. */
export async function isToldBySkill(
  { payload }: Pick<HookCall, "payload">,
  memory: Runtime,
): Promise<boolean> {
  if (payload.client !== CLAUDE_CODE) return false;
  const { pluginDirectory, pluginState } = await import("../setup/plugin/directory.ts");
  return pluginState(pluginDirectory(memory.paths.claudeDir)) === "installed";
}

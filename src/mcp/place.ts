import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ResultSchema, RootsListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import { MCP_LIMITS } from "../constants.ts";
import { findProject } from "../io/git/project.ts";
import { SYSTEM } from "../io/system.ts";
import { trustOf } from "../project/trust.ts";
import type { Runtime } from "../runtime.ts";

const RootList = v.object({ roots: v.array(v.object({ uri: v.string() })) });

/** Returns the directories that the client says it works in. */
export type Roots = () => Promise<readonly string[]>;

/** Variables in which agents name the directory that a person works in, best first. */
const VARIABLES = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "COPILOT_PROJECT_DIR"];

/** The directory whose project a server serves, and whether it may store notes there. */
export interface Place {
  directory: string;
  mayWrite: boolean;
}

/**
 * Returns where the server works: the directory that it was started in, or that `-C` names. Where that one is in no
 * repository and not enabled, as with editors, which start servers in the home directory, the directory that the
 * agent's variable names, else the first of the client's roots that is enabled, for reading only. `PWD` and `INIT_CWD`
 * say nothing: any shell sets them.
 */
export async function placeOf({ host, paths, memoryOptions }: Runtime, roots: Roots): Promise<Place> {
  const { env, cwd } = host;
  const isEnabled = (each: string) => {
    const trust = trustOf(paths, findProject(each).root);
    return trust !== "off" && trust !== "foreign";
  };
  if (memoryOptions.length > 0 || findProject(cwd).isGit || isEnabled(cwd))
    return { directory: cwd, mayWrite: true };
  const [agents] = absolute(VARIABLES.map((name) => env[name]));
  if (agents !== undefined) return { directory: agents, mayWrite: true };
  const root = (await roots()).find(isEnabled);
  return root === undefined ? { directory: cwd, mayWrite: true } : { directory: root, mayWrite: false };
}

function absolute(paths: readonly (string | undefined)[]): string[] {
  return paths.filter((path): path is string => path !== undefined && SYSTEM.isAbsolute(path));
}

/**
 * Asks a client for its roots, once, and again when it says that they changed. Empty for a client that has none, or
 * does not answer in time.
 */
export function rootsOf(server: Server, timeoutMs: number = MCP_LIMITS.rootsMs): Roots {
  let known: Promise<readonly string[]> | null = null;
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    known = null;
  });
  const ask = async () => {
    try {
      // The SDK's own schema rejects all roots for one that is not a file, such as a remote folder of an editor.
      const answer = await server.request({ method: "roots/list" }, ResultSchema, { timeout: timeoutMs });
      return v.parse(RootList, answer).roots.flatMap(({ uri }) => pathOf(uri));
    } catch (error) {
      server.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return [];
    }
  };
  return async () => {
    if (server.getClientCapabilities()?.roots === undefined) return [];
    known ??= ask();
    return known;
  };
}

/** Returns the path in a `file:` address; nothing for any other address. */
function pathOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}

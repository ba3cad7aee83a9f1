import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ResultSchema, RootsListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import { MCP_LIMITS } from "../constants.ts";
import { findProject } from "../git/project.ts";
import { SYSTEM } from "../io/system.ts";
import { trustOf } from "../project/trust.ts";
import type { Runtime } from "../runtime.ts";

const RootList = v.object({ roots: v.array(v.object({ uri: v.string() })) });

/** Returns the directories that the client says it works in. */
export type Roots = () => Promise<readonly string[]>;

/** Variables in which agents and shells name the directory that a person works in, best first. */
const VARIABLES = ["GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "COPILOT_PROJECT_DIR", "PWD", "INIT_CWD"];

/**
 * Returns the directory whose project the server serves: the first one in an enabled project among
 * `CLAUDE_PROJECT_DIR`, the directory that the server was started in, the client's roots and other variables. Without
 * any, the first of all. The user's word on the command line, `-C`, counts more than all of these. The client is asked only if the first two do not answer.
 */
export async function placeOf({ host, paths, named }: Runtime, roots: Roots): Promise<string> {
  const { env, cwd } = host;
  if (named.length > 0) return cwd;
  const isEnabled = (directory: string) => {
    const trust = trustOf(paths, findProject(directory).root);
    return trust !== "off" && trust !== "foreign";
  };
  const [first = cwd, ...started] = [...absolute([env.CLAUDE_PROJECT_DIR]), cwd];
  return (
    [first, ...started].find(isEnabled) ??
    (await roots()).find(isEnabled) ??
    absolute(VARIABLES.map((name) => env[name])).find(isEnabled) ??
    first
  );
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

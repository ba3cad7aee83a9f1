import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  ResultSchema,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import { MCP_LIMITS } from "../constants.ts";
import { findProject } from "../io/git/project.ts";
import { realPathIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import type { Log } from "../project/log.ts";
import { dropUntrustedVariables } from "../project/planted.ts";
import { projectTrust } from "../project/trust.ts";
import type { Runtime } from "../runtime.ts";
import { VERSION } from "../version.ts";
import { type Memory, openMemory } from "./memory.ts";
import { INSTRUCTIONS } from "./text/answer.ts";
import { callTool, listedTools, TOOLS } from "./tools.ts";
import { StdioTransport } from "./transport.ts";

/** Serves the memory of the client's project over stdin and stdout until stdin ends. */
export async function serve(runtime: Runtime): Promise<void> {
  const transport = new StdioTransport(runtime.host);
  const log = await runtime.log();
  const server = createServer(log);
  answerRequests(server, currentMemory(runtime, clientRoots(server)), log);
  await server.connect(transport);
  await transport.ended;
}

/** Returns a function that finds the memory for each request: a project may be enabled while the server runs. */
function currentMemory(runtime: Runtime, roots: Roots): () => Promise<Memory> {
  const opened = new Map<string, Memory>();
  return async () => {
    // Refused variables of one directory may change the registry's location.
    const { directory, mayWrite } = await placeOf(runtime.renewed(runtime.host.cwd), roots);
    const known = opened.get(directory);
    if (known !== undefined) return known;
    if (directory !== runtime.host.cwd) await dropUntrustedVariables(runtime.host, directory);
    const memory = openMemory(runtime.renewed(directory), directory, { mayWrite });
    opened.set(directory, memory);
    return memory;
  };
}

/** Creates the server. It answers once it is connected to a transport. */
export function createServer(log: Log): Server {
  const server = new Server(
    { name: "mementor", title: "mementor: memory of past sessions", version: VERSION },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      // The server sends no requests whose results need validating against a schema.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "" }),
      },
    },
  );
  server.onerror = (error) => log.warn("mcp: protocol", { error: error.message });
  return server;
}

/** Answers the requests for tools, each from the memory that is found for it. */
function answerRequests(server: Server, memory: () => Promise<Memory>, log: Log): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return callTool(tool, params.arguments, (await memory()).askedBy(callOf(params._meta)), log);
  });
}

/** Claude Code names the call of its transcript. */
function callOf(meta: Record<string, unknown> | undefined): { id: string } | null {
  const id = meta?.["claudecode/toolUseId"];
  return typeof id === "string" ? { id } : null;
}

const RootList = v.object({ roots: v.array(v.object({ uri: v.string() })) });

/** Returns the client's working directories, as it reports them. */
type Roots = () => Promise<readonly string[]>;

/** Variables in which agents name the user's working directory, best first. Any process that starts the server can set them. */
const VARIABLES = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "COPILOT_PROJECT_DIR"];

/** The directory whose project a server serves, and whether it may store notes there. */
interface Place {
  directory: string;
  mayWrite: boolean;
}

/**
 * Returns the server's directory: its start directory, or the one of `-C`. If that is neither in a repository nor enabled, falls
 * back to a read-only place: an enabled directory around it that the agent's variable names, or else the client's first enabled
 * root, because editors start servers in the home directory. Ignores `PWD` and `INIT_CWD`, which any shell sets.
 */
async function placeOf({ host, paths, memoryOptions }: Runtime, roots: Roots): Promise<Place> {
  const { env, cwd } = host;
  const isEnabled = (each: string) => {
    const trust = projectTrust(paths, findProject(each).root);
    return trust !== "off" && trust !== "foreign";
  };
  if (memoryOptions.length > 0 || findProject(cwd).isGit || isEnabled(cwd))
    return { directory: cwd, mayWrite: true };
  const around = VARIABLES.map((name) => env[name] ?? "")
    .filter((path) => SYSTEM.isAbsolute(path))
    .flatMap((path) => realPathIfExists(path) ?? [])
    .filter((path) => SYSTEM.isWithin(cwd, path));
  const other = around.find(isEnabled) ?? (await roots()).find(isEnabled);
  return other === undefined ? { directory: cwd, mayWrite: true } : { directory: other, mayWrite: false };
}

/**
 * Requests a client's roots once, and again after it reports a change. Empty for a client without roots, or one that does not
 * answer in time.
 */
export function clientRoots(server: Server, timeoutMs: number = MCP_LIMITS.rootsMs): Roots {
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

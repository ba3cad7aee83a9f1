import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type MementorError, toMementorError } from "../errors.ts";
import type { Log } from "../project/log.ts";
import type { Runtime } from "../runtime.ts";
import { VERSION } from "../version.ts";
import { type Memory, openMemory } from "./memory.ts";
import { placeOf, type Roots, rootsOf } from "./place.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import { INSTRUCTIONS, renderToolError } from "./text/answer.ts";
import { callTool, listedTools, TOOLS } from "./tools.ts";
import { StdioTransport } from "./transport.ts";

/** Serves the memory of the client's project over stdin and stdout until stdin ends. */
export async function serve(runtime: Runtime): Promise<void> {
  const transport = new StdioTransport(runtime.host);
  const log = await runtime.log();
  const server = createServer(log);
  answerRequests(server, currentMemory(runtime, rootsOf(server)), log);
  await server.connect(transport);
  await transport.ended;
}

/** Returns a function that finds the memory for each request: a project may be enabled while the server runs. */
function currentMemory(runtime: Runtime, roots: Roots): () => Promise<Memory> {
  const opened = new Map<string, Memory>();
  return async () => {
    const { directory, mayWrite } = await placeOf(runtime, roots);
    const memory = opened.get(directory) ?? openMemory(runtime.renewed(directory), directory, { mayWrite });
    opened.set(directory, memory);
    return memory;
  };
}

/** MCP's error code for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

/** Creates the server. It starts to work when it is connected to a transport. */
export function createServer(log: Log): Server {
  const server = new Server(
    { name: "mementor", title: "mementor: memory of past sessions", version: VERSION },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      // The server asks for nothing whose answer has a schema of its own, so it needs no validator.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "" }),
      },
    },
  );
  server.onerror = (error) => log.warn("mcp: protocol", { error: error.message });
  return server;
}

/**
 * Answers the requests for tools and resources, each from the memory that is found for it. What cannot be answered is
 * an error of the protocol.
 */
function answerRequests(server: Server, memory: () => Promise<Memory>, log: Log): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return callTool(tool, params.arguments, (await memory()).askedBy(callOf(params._meta)), log);
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }));
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) =>
    listResources(params?.cursor, await memory()).catch(rethrow),
  );
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) =>
    readResource(params.uri, await memory()).catch(rethrow),
  );
}

/** Claude Code names the call of its transcript. */
function callOf(meta: Record<string, unknown> | undefined): { id: string } | null {
  const id = meta?.["claudecode/toolUseId"];
  return typeof id === "string" ? { id } : null;
}

function rethrow(thrown: unknown): never {
  const error = toMementorError(thrown);
  throw new McpError(codeOf(error), renderToolError(error));
}

function codeOf({ code }: MementorError): number {
  if (code === "not_found") return RESOURCE_NOT_FOUND;
  return code === "usage" ? ErrorCode.InvalidParams : ErrorCode.InternalError;
}

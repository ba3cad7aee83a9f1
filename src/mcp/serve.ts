import type { Runtime } from "../runtime.ts";
import { type Memory, openMemory } from "./memory.ts";
import { placeOf, type Roots, rootsOf } from "./place.ts";
import { answerRequests, createServer } from "./server.ts";
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

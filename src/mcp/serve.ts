import type { Runtime } from "../runtime.ts";
import { openMemory } from "./memory.ts";
import { createServer } from "./server.ts";
import { StdioTransport } from "./transport.ts";

/** Serves the memory over stdin and stdout until stdin ends. `cwd` is where paths in arguments start from. */
export async function serve(runtime: Runtime, cwd: string): Promise<void> {
  const transport = new StdioTransport(runtime.host);
  const server = createServer(openMemory(runtime, cwd), await runtime.log());
  await server.connect(transport);
  await transport.ended;
}

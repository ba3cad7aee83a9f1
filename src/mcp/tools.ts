import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { toMementorError } from "../errors.ts";
import type { Log } from "../project/log.ts";
import { fileHistoryTool } from "./file-history.ts";
import type { Memory } from "./memory.ts";
import { noteTool } from "./note.ts";
import { recentTool } from "./recent.ts";
import { searchTool } from "./search.ts";
import { searchElsewhereTool } from "./search-elsewhere.ts";
import { sessionsTool } from "./sessions.ts";
import { showTool } from "./show.ts";
import { renderToolError } from "./text/answer.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [
  searchTool,
  showTool,
  sessionsTool,
  fileHistoryTool,
  recentTool,
  noteTool,
  searchElsewhereTool,
];

/** What the protocol assumes otherwise: that a tool writes and destroys, and goes beyond this machine. */
const READS = { readOnlyHint: true, openWorldHint: false };
const WRITES = { destructiveHint: false, openWorldHint: false };

/**
 * Lists the tools in the form of the protocol. Every session reads the list, so it is short: a description that several
 * tools share stands in the first one, which is \`search\`.
 */
export function listedTools(): ListedTool[] {
  const said = new Set<string>();
  return TOOLS.map(({ name, title, description, writes, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema: saidOnce(inputSchema(), said),
    annotations: writes ? WRITES : READS,
  }));
}

/** A schema that says only the type of an argument which was described before. */
function saidOnce(
  { required = [], ...schema }: ListedTool["inputSchema"],
  said: Set<string>,
): ListedTool["inputSchema"] {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { type, description }: { type?: string; description?: string } = property;
    const known = `${name}: ${description}`;
    if (said.has(known)) return [name, { type }] as const;
    said.add(known);
    return [name, property] as const;
  });
  const isAsked = required.length > 0;
  return { ...schema, properties: Object.fromEntries(properties), ...(isAsked && { required }) };
}

/** Calls a tool. An error is returned as an answer, so that the caller can read it and correct the call. */
export async function callTool(tool: Tool, args: unknown, memory: Memory, log: Log): Promise<CallToolResult> {
  try {
    const { text, structured } = await tool.call(args, memory);
    return { content: [{ type: "text", text }], structuredContent: { ...structured } };
  } catch (thrown) {
    const error = toMementorError(thrown);
    if (error.code === "internal") log.error("mcp: tool failed", { tool: tool.name, error });
    const named = Object.keys(tool.inputSchema().properties ?? {});
    return { content: [{ type: "text", text: renderToolError(error, named) }], isError: true };
  }
}

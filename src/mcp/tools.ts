import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { toMementorError } from "../errors.ts";
import type { Log } from "../log/log.ts";
import { renderToolError } from "../render/mcp/answer.ts";
import { fileHistoryTool } from "./file-history.ts";
import type { Memory } from "./memory.ts";
import { noteTool } from "./note.ts";
import { recentTool } from "./recent.ts";
import { searchTool } from "./search.ts";
import { searchElsewhereTool } from "./search-elsewhere.ts";
import { sessionsTool } from "./sessions.ts";
import { showTool } from "./show.ts";
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

/** Properties of every structured answer; some answers have more. */
const OUTPUT: ListedTool["outputSchema"] = {
  type: "object",
  properties: {
    notice: { type: "string", description: "What the results are" },
    results: { type: "array", items: { type: "object" } },
    next_cursor: { type: "string", description: "To get the next results, pass this as the argument cursor" },
  },
  required: ["notice", "results"],
};

/** Lists the tools in the form of the protocol. */
export function listedTools(): ListedTool[] {
  return TOOLS.map(({ name, title, description, writes, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema(),
    outputSchema: OUTPUT,
    annotations: {
      title,
      readOnlyHint: !writes,
      destructiveHint: false,
      idempotentHint: !writes,
      openWorldHint: false,
    },
  }));
}

/** Calls a tool. An error is returned as an answer, so that the caller can read it and correct the call. */
export async function callTool(tool: Tool, args: unknown, memory: Memory, log: Log): Promise<CallToolResult> {
  try {
    const { text, structured } = await tool.call(args, memory);
    return { content: [{ type: "text", text }], structuredContent: structured };
  } catch (thrown) {
    const error = toMementorError(thrown);
    if (error.code === "internal") log.error("mcp: tool failed", { tool: tool.name, error });
    return { content: [{ type: "text", text: renderToolError(error) }], isError: true };
  }
}

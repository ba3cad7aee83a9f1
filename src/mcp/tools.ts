import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import { NOTE } from "../constants.ts";
import { toMementorError } from "../errors.ts";
import type { Log } from "../project/log.ts";
import { agentData, joinText, named, tell } from "../recall/telling/agent-text.ts";
import { fileHistoryTool, recentTool, sessionsTool } from "./lists.ts";
import type { Memory } from "./memory.ts";
import { renderNote } from "./save-note.ts";
import { searchTool } from "./search.ts";
import { searchElsewhereTool } from "./search-elsewhere.ts";
import { showTool } from "./show.ts";
import { renderToolError } from "./text/answer.ts";
import { defineTool, type Tool } from "./tool.ts";

const noteTool = defineTool({
  name: "note",
  title: "Store a decision",
  description:
    'Store a decision of the user\'s with today\'s date, so that later sessions recall it. Use it when the user asks to remember something ("note that", "from now on"), in one or two sentences that stand alone, with the reason. Not for summaries: the session is remembered anyway.',
  writes: true,
  arguments: {
    text: v.pipe(
      v.string("must be a string"),
      v.trim(),
      v.nonEmpty("must not be empty"),
      v.maxLength(NOTE.maxChars, `must have at most ${NOTE.maxChars} characters`),
      v.description("The decision and its reason"),
    ),
  },
  async answer({ text }, memory) {
    const saved = await memory.note(text);
    const { turnId, sessionId, isRedacted, isNew } = saved;
    return {
      // The agent's own words, just stored.
      text: joinText(renderNote(saved, "agent").split("\n").map(named), "\n"),
      structured: {
        notice: isNew ? tell`The note was stored.` : tell`The same note was stored before.`,
        results: [
          agentData(
            { author: null, foreign: null },
            { turn_id: turnId, session_id: sessionId, ...(isRedacted && { redacted: true }) },
          ),
        ],
      },
    };
  },
});

export const TOOLS: readonly Tool[] = [
  searchTool,
  showTool,
  sessionsTool,
  fileHistoryTool,
  recentTool,
  noteTool,
  searchElsewhereTool,
];

/** Without these hints, clients assume that a tool writes, destroys data and reaches beyond this machine. */
const READS = { readOnlyHint: true, openWorldHint: false };
const WRITES = { destructiveHint: false, openWorldHint: false };

/**
 * Lists the tools in the form of the protocol. Every session reads the list, so it is short: a description that several tools
 * share is given only in the first one, \`search\`.
 */
export function listedTools(): ListedTool[] {
  const said = new Set<string>();
  return TOOLS.map(({ name, title, description, writes, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema: dropRepeatedDescriptions(inputSchema(), said),
    annotations: writes ? WRITES : READS,
  }));
}

/** Returns only the type of an argument that an earlier tool has described. */
function dropRepeatedDescriptions(
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

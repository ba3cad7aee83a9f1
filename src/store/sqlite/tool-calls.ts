/** Returns the condition that a call asks a memory: by its command, or by a tool of the MCP server that reads. */
export function asksMemory(call: string): string {
  const tools = ["search", "show", "sessions", "file_history", "recent", "search_elsewhere"];
  const byTool = tools.map((tool) => `${call} GLOB 'mcp__*mementor*__${tool}(*'`);
  return `(${[`${call} GLOB '*mementor recall*'`, ...byTool].join(" OR ")})`;
}

/**
 * Returns the condition that a summary of tool calls has a command line that printed this turn; `turn` is an expression
 * of SQL.
 */
export function shownByCommand(summary: string, turn: string): string {
  const shows = ["mementor show ", "mementor recall --show ", "mementor recall --show="];
  return `(${shows.map((line) => `${summary} GLOB '*${line}' || ${turn} || '[^0-9]*'`).join(" OR ")})`;
}

/**
 * Returns the GLOB pattern of tool summaries in which the MCP server's tool `show` got this turn; `turn` is an expression of
 * SQL. The summaries are stored as a JSON list, so quotes in them are escaped.
 */
export function shownByTool(turn: string): string {
  return `'*mementor*__show(*turn=\\"' || ${turn} || '\\"*'`;
}

/**
 * Returns the GLOB pattern of tool summaries in which the MCP server's tool `show` got this turn; `turn` is an expression of
 * SQL. The summaries are stored as a JSON list, so quotes in them are escaped.
 */
export function shownByTool(turn: string): string {
  return `'*mementor*__show(*turn=\\"' || ${turn} || '\\"*'`;
}

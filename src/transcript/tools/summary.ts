import type { ToolArgument, ToolCall } from "../events.ts";
import { argument, call, type ValueContext } from "./values.ts";

/**
 * Returns the one-line summary of a tool call, such as `Read(src/main.ts)` or `Bash(desc="Run tests", cmd="bun test")`;
 * null when it has none. A call without arguments is its bare name.
 */
export function toolSummary({ name, shown }: ToolCall, context: ValueContext): string | null {
  if (shown === null || name === "") return null;
  return call(
    name,
    shown.map((each) => shownText(each, context)),
  );
}

function shownText({ key, value, isPath }: ToolArgument, context: ValueContext): string | null {
  if (value === null) return null;
  const text = isPath ? context.path(value) : value;
  return key === null ? text : argument(key, text, context);
}

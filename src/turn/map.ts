import { parseText } from "./grammar.ts";
import { composeText, type TurnText } from "./text.ts";

/**
 * Applies `change` to a text and returns it with its parts. Where the change of the whole is not that of its parts, as
 * when something reaches from one into the next, the parts are parsed anew.
 *
 * @param tools the turn's tool calls as they stand in the changed text.
 */
export function mapText(
  { text, parts }: TurnText,
  change: (text: string) => string,
  tools: readonly string[] = [],
): TurnText {
  const changed = change(text);
  if (changed === text) return { text, parts };
  const mapped = composeText(
    parts.map(({ kind, start, end }) => ({ kind, text: change(text.slice(start, end)) })),
  );
  return mapped.text === changed ? mapped : parseText(changed, tools);
}

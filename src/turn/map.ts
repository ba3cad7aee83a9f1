import { parseText } from "./grammar.ts";
import { composeText, type TurnText } from "./text.ts";

/**
 * Applies `change` to a text and returns the changed text with its parts. Parses the parts again when changing the whole
 * text differs from changing each part, as when a match spans two parts.
 *
 * @param tools summaries of the turn's tool calls, as they are in the changed text.
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

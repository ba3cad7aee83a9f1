import { parseText } from "./grammar.ts";
import { isMeasured } from "./parts.ts";
import { composeText, type TurnPart, type TurnText } from "./text.ts";

/**
 * Applies `change` to a text and returns the changed text with the parts of just that text, which must not be changed once more.
 * Parses the parts again when changing the whole text differs from changing each part, as when a match spans two parts, and when
 * they are not those of the given text.
 *
 * @param tools summaries of the turn's tool calls, as they are in the changed text.
 */
export function mapText<Text extends string>(
  { text, parts }: TurnText,
  change: (text: string) => Text,
  tools: readonly string[] = [],
): { text: Text; parts: readonly TurnPart[] } {
  const changed = change(text);
  if (!isMeasured({ text, parts })) return { text: changed, parts: parseText(changed, tools).parts };
  if (changed === text) return { text: changed, parts };
  const mapped = composeText(
    parts.map(({ kind, start, end }) => ({ kind, text: change(text.slice(start, end)) })),
  );
  return { text: changed, parts: (mapped.text === changed ? mapped : parseText(changed, tools)).parts };
}

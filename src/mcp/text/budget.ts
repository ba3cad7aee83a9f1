import { MCP_TOKENS } from "../../constants.ts";
import type { AgentData, AgentText } from "../../render/agent-text.ts";
import { pairStart } from "../../text/cut.ts";

/** An item of an answer, as text and as data. */
export interface AnswerItem {
  text: AgentText;
  data: AgentData;
}

/** Estimates the tokens of a text from its characters. Claude's tokenizer is not public, so the estimate is high. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x80) ascii++;
  return Math.ceil(ascii / MCP_TOKENS.asciiChars) + (text.length - ascii);
}

/** An upper bound of a text's tokens, both as a JSON string and with every line marked as a quote. */
export function quotedTokens(text: string): number {
  return estimateTokens(JSON.stringify(text)) + Math.ceil(text.split("\n").length / 2);
}

/** Tokens of the longer form of an item: a client passes on one of the two. */
export function itemTokens({ text, data }: AnswerItem): number {
  return Math.max(estimateTokens(text), estimateTokens(JSON.stringify(data)));
}

/** Returns the first items that fit into `tokens`. Always includes the first item, so that paging makes progress. */
export function fitItems<Item extends AnswerItem>(items: readonly Item[], tokens: number): Item[] {
  let left = tokens;
  const last = items.findIndex((item) => {
    left -= itemTokens(item);
    return left < 0;
  });
  return last < 0 ? [...items] : items.slice(0, Math.max(1, last));
}

/**
 * Returns how many UTF-16 units from the start of a text fit into `tokens`, as text and as JSON. Prefers the end of a
 * line or word near the limit. Never splits a surrogate pair. Returns at least one character unless the text is empty.
 */
export function fittingLength(text: string, tokens: number): number {
  const fits = (length: number) => quotedTokens(text.slice(0, length)) <= tokens;
  if (fits(text.length)) return text.length;
  let [low, high] = [0, text.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  const near = text.slice(0, low);
  const end = Math.max(near.lastIndexOf("\n"), near.lastIndexOf(" "));
  const cut = end > low * 0.8 ? end + 1 : low;
  const firstCharacter = pairStart(text, 1) === 1 ? 1 : 2;
  return Math.max(firstCharacter, pairStart(text, cut));
}

/** Truncates a text to `tokens`, with `…` at the end if it was longer. */
export function cutToTokens(text: string, tokens: number): string {
  const length = fittingLength(text, tokens);
  return length === text.length ? text : `${text.slice(0, length).trimEnd()}…`;
}

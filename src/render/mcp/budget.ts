import { MCP_TOKENS } from "../../constants.ts";

/** A piece of an answer: as text, and as data for programs. */
export interface AnswerItem {
  text: string;
  data: Readonly<Record<string, unknown>>;
}

/** Estimates the tokens of a text from its characters, on the high side: no tokenizer of Claude's is public. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x80) ascii++;
  return Math.ceil(ascii / MCP_TOKENS.asciiChars) + (text.length - ascii);
}

/** Tokens of a text as a string in JSON, or with every line marked as quoted, whichever is more. */
export function quotedTokens(text: string): number {
  return estimateTokens(JSON.stringify(text)) + Math.ceil(text.split("\n").length / 2);
}

/** Tokens of an item in whichever form is longer: a client passes on one of the two. */
export function itemTokens({ text, data }: AnswerItem): number {
  return Math.max(estimateTokens(text), estimateTokens(JSON.stringify(data)));
}

/** Returns the items from the first that fit into `tokens`; the first is always among them, so that paging goes on. */
export function fitItems<Item extends AnswerItem>(items: readonly Item[], tokens: number): Item[] {
  let left = tokens;
  const last = items.findIndex((item) => {
    left -= itemTokens(item);
    return left < 0;
  });
  return last < 0 ? [...items] : items.slice(0, Math.max(1, last));
}

/**
 * Returns how many UTF-16 units from the start of a text fit into `tokens`, as text and as JSON: all of it, or up to a
 * line's or word's end near the limit. Never splits a pair; at least one character unless the text is empty.
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
  return Math.max(firstCharacter(text), isHighSurrogate(text, cut - 1) ? cut - 1 : cut);
}

function firstCharacter(text: string): number {
  return isHighSurrogate(text, 0) && text.length > 1 ? 2 : 1;
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Returns the text, cut where it does not fit into `tokens`; what was cut is marked by `…`. */
export function cutToTokens(text: string, tokens: number): string {
  const length = fittingLength(text, tokens);
  return length === text.length ? text : `${text.slice(0, length).trimEnd()}…`;
}

import type { StoredTurn } from "../../store/stored.ts";
import { partText } from "../../turn/parts.ts";
import { ownWords, unsureWords } from "../../turn/pasted.ts";
import { isSaid } from "../../turn/text.ts";
import type { Statement } from "../statement/choose.ts";

declare const QUOTATION: unique symbol;

/**
 * Quoted words of a turn. An agent's words come with the user's next words, which may refuse a proposal. Only `quotation` makes
 * one, and functions that name a speaker accept nothing else.
 */
export interface Quotation extends Pick<Statement, "text" | "kind"> {
  turn: StoredTurn;
  next: NextWords | null;
  readonly [QUOTATION]: true;
}

/** The user's next words, with their time (ISO 8601) and turn if known; those that may be pasted only if there are no others. */
export interface NextWords {
  text: string;
  isUnsure: boolean;
  at: string | null;
  turn: StoredTurn | null;
}

/** Quotes words of a turn. `after` is the next turn, if it was loaded. */
export function quotation(
  turn: StoredTurn,
  { text, kind }: Pick<Statement, "text" | "kind">,
  after: StoredTurn | null = null,
): Quotation {
  const next = kind !== "unsure" && isSaid(kind) ? nextWords(turn, after) : null;
  return { text, kind, turn, next } as Quotation;
}

function nextWords(turn: StoredTurn, after: StoredTurn | null): NextWords | null {
  // The turn of the next prompt also tells who sent it.
  const prompt = after?.role === "turn" ? partText(after, "prompt") : null;
  const whole = prompt ?? partText(turn, "forward") ?? "";
  const own = ownWords(whole);
  const text = own === "" ? unsureWords(whole) : own;
  return text === ""
    ? null
    : { text, isUnsure: own === "", at: after?.createdAt ?? null, turn: prompt === null ? null : after };
}

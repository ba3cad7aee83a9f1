import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import type { PartKind } from "../../turn/text.ts";
import { type AgentText, joinText, named, tell, textOfRow } from "../agent-text.ts";
import { heldWithWhom } from "../client.ts";
import { speakerOf } from "../speaker.ts";
import { renderDate } from "../time.ts";

/** Maximum length of a sentence, in grapheme clusters. */
const MAX_GRAPHEMES = 330;

/** A sentence of a turn. */
export interface QuotedSentence {
  kind: PartKind;
  text: string;
  turn: StoredTurn;
}

/** Renders a sentence with its speaker, `Claude: "…"`; `say` is that of its turn. */
export function renderQuote(
  { kind, text, turn }: QuotedSentence,
  say: (words: string) => AgentText,
): AgentText {
  const speaker = speakerOf({ kind, text, turn });
  return tell`${named(speaker)}: "${say(truncateGraphemes(onOneLine(text), MAX_GRAPHEMES))}"`;
}

/** A line about a turn: its date, whose it is where it was not made here, the words, its number. */
export function turnLine(
  turn: StoredTurn,
  words: (say: (words: string) => AgentText) => AgentText,
): AgentText {
  return textOfRow(turn, ({ say, whose }) => {
    const facts = [named(renderDate(turn.createdAt)), ...heldOf(turn), ...whose(), words(say)];
    return tell`- ${joinText(facts, ", ")} (turn ${turn.turnId})`;
  });
}

/** With which agent a turn was held, where that is not the usual one. */
export function heldOf(turn: StoredTurn): AgentText[] {
  const held = heldWithWhom(turn);
  return held === null ? [] : [named(onOneLine(held))];
}

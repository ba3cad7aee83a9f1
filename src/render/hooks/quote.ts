import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import type { PartKind } from "../../turn/text.ts";
import { heldWithWhom } from "../client.ts";
import { originOf } from "../origin.ts";
import { renderDate } from "../time.ts";
import { speakerOf } from "./speaker.ts";

/** Maximum length of a sentence, in grapheme clusters. */
const MAX_GRAPHEMES = 330;

/** Renders a sentence with its speaker: `Claude: "…"`. */
export function renderQuote(kind: PartKind, text: string, turn: StoredTurn): string {
  return `${speakerOf(kind, turn)}: "${truncateGraphemes(onOneLine(text), MAX_GRAPHEMES)}"`;
}

/** A line about a turn: its date, whose it is where it was not made here, the words, its number. */
export function turnLine(turn: StoredTurn, words: string): string {
  return `- ${[renderDate(turn.createdAt), ...whoseOf(turn), words].join(", ")} (turn ${turn.turnId})`;
}

/** An import can carry the id of any session, so each line says whose its turn is. */
export function whoseOf(turn: StoredTurn): string[] {
  return [heldWithWhom(turn), originOf(turn)].filter((each) => each !== null).map(onOneLine);
}

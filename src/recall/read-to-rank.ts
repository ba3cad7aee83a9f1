import { UNTRUSTED } from "../io/untrusted.ts";
import type { SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";

/** Characters of a turn's text to read for ranking or judging. */
export const RANKED_CHARS = UNTRUSTED.rankedTurnChars;

/** Reads the rest of texts that were shortened for ranking, to show them. */
export async function withWholeTexts<Ranked extends { turn: StoredTurn }>(
  ranked: readonly Ranked[],
  store: Pick<SearchStore, "turns">,
): Promise<Ranked[]> {
  const cut = ranked.filter(({ turn }) => turnLength(turn) > turn.text.length).map(({ turn }) => turn.turnId);
  if (cut.length === 0) return [...ranked];
  const whole = new Map((await store.turns(cut)).map(({ turnId, text }) => [turnId, text]));
  return ranked.map((each) => {
    const { turn } = each;
    const text = whole.get(turn.turnId)?.slice(0, turnLength(turn)) ?? turn.text;
    return { ...each, turn: { ...turn, text } };
  });
}

/** Returns the length of a turn's whole text, however much of it was read. */
export function turnLength({ text, parts }: Pick<StoredTurn, "text" | "parts">): number {
  return Math.max(text.length, parts.at(-1)?.end ?? 0);
}

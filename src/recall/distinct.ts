import { NOTE } from "../constants.ts";
import type { StoredTurn } from "../store/stored.ts";
import { isSaid } from "../turn/text.ts";
import type { Scored } from "./fusion.ts";

/**
 * Only the starts of texts are compared. A resumed session repeats turns in full; only the end of the last one
 * differs.
 */
const COMPARED_CHARS = 600;

/**
 * Keeps only the best of nearly identical turns, such as the copies in a resumed session. Keeps the order. A prompt that
 * is given again and again, such as a checklist of a review, is no repeat where it was answered otherwise.
 */
export function withoutRepeats(ranked: readonly Scored[]): { kept: Scored[]; repeats: Scored[] } {
  const seen = new Map<string, StoredTurn[]>();
  const kept: Scored[] = [];
  const repeats: Scored[] = [];
  for (const scored of ranked) {
    const { turn } = scored;
    const key = comparable(turn.text.slice(0, COMPARED_CHARS));
    const alike = seen.get(key) ?? [];
    // Short turns, such as "yes", say something else each time; a note says it all itself.
    const saysAll = turn.text.length > COMPARED_CHARS / 2 || turn.client === NOTE.client;
    const isRepeat = saysAll && alike.some((each) => answerAlike(each, turn));
    (isRepeat ? repeats : kept).push(scored);
    if (!isRepeat) seen.set(key, [...alike, turn]);
  }
  return { kept, repeats };
}

/** Whether two turns say the same in answer, as far as the shorter one goes: a copy may end within its turn. */
function answerAlike(a: StoredTurn, b: StoredTurn): boolean {
  const [one, other] = [saidIn(a), saidIn(b)];
  if (one === "" || other === "") return one === other;
  return one.startsWith(other) || other.startsWith(one);
}

function saidIn({ text, parts }: StoredTurn): string {
  const said = parts.filter(({ kind }) => isSaid(kind)).map(({ start, end }) => text.slice(start, end));
  return comparable(said.join(" ")).trim();
}

function comparable(text: string): string {
  return text.replace(/\s+/g, " ").toLowerCase();
}

/** Whether only the files of its session led to a turn. */
export function isFoundByAccessAlone({ candidate }: Scored): boolean {
  return candidate.sources.size === 1 && candidate.sources.has("access");
}

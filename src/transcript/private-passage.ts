import { afterPrivate, opensPrivate } from "../redact/private.ts";
import type { TurnEntry } from "./transcript.ts";

/** What an entry held when a passage was open in it. */
interface Held {
  entry: TurnEntry;
  texts: number;
}

/**
 * A private passage of a turn that one text of it opens and a later one closes. What came between is kept until the
 * end is read, since a text may also only speak of the tag; then it is taken out of the turn's entries.
 */
export class PrivatePassage {
  #held: Held[] | null = null;

  /** Notes an entry that is read now, before anything is added to it. */
  hold(entry: TurnEntry): void {
    this.#held?.push({ entry, texts: entry.texts.length });
  }

  /** Returns what of the next text of an entry may be kept, as far as passages of earlier texts go. */
  next(text: string, entry: TurnEntry): string {
    const rest = this.#held === null ? null : afterPrivate(text);
    if (rest !== null) this.#empty();
    const kept = rest ?? text;
    // The rest of this text is taken out where it is cleaned: what it holds in all is its beginning.
    if (this.#held === null && opensPrivate(kept)) this.#held = [{ entry, texts: entry.texts.length + 1 }];
    return kept;
  }

  #empty(): void {
    for (const { entry, texts } of this.#held ?? []) {
      entry.texts.splice(texts);
      entry.answers.splice(0);
      entry.reports.splice(0);
      entry.toolSummary.splice(0);
      entry.errors.splice(0);
      entry.mentions.splice(0);
      entry.commits.splice(0);
    }
    this.#held = null;
  }
}

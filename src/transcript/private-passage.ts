import { afterPrivate, opensPrivate } from "../redact/private.ts";
import type { TurnEntry } from "./transcript.ts";

/** The lengths of an entry's texts when a passage was opened. */
interface Held {
  entry: TurnEntry;
  texts: number;
}

/**
 * A private passage that one text of a turn opens and a later text closes. A text may also only mention the tag. So
 * the texts between are kept until the end tag is read, and only then removed from the turn's entries.
 */
export class PrivatePassage {
  #held: Held[] | null = null;

  /** Registers an entry before anything is added to it. */
  hold(entry: TurnEntry): void {
    this.#held?.push({ entry, texts: entry.texts.length });
  }

  /** Returns the part of an entry's next text that is not inside a passage of an earlier text. */
  next(text: string, entry: TurnEntry): string {
    const rest = this.#held === null ? null : afterPrivate(text);
    if (rest !== null) this.#empty();
    const kept = rest ?? text;
    // The rest of this text is removed when it is cleaned, so only its beginning counts.
    if (this.#held === null && opensPrivate(kept)) this.#held = [{ entry, texts: entry.texts.length + 1 }];
    return kept;
  }

  #empty(): void {
    for (const { entry, texts } of this.#held ?? []) {
      entry.texts.splice(texts);
      entry.answers.splice(0);
      entry.reports.splice(0);
      entry.toolSummary.splice(0);
      entry.calls.splice(0);
      entry.errors.splice(0);
      entry.mentions.splice(0);
      entry.commits.splice(0);
    }
    this.#held = null;
  }
}

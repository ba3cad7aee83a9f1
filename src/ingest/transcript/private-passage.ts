import { afterPrivate, opensPrivate } from "../../redact/private.ts";
import type { TurnEntry } from "./transcript.ts";

/** Lengths of an entry's texts when a passage was opened. */
interface Held {
  entry: TurnEntry;
  texts: number;
}

/**
 * A private passage that one text of a turn opens and a later text closes. The prompt or an answer opens it; an answer or, for
 * the prompt, the next prompt closes it. A text may also only mention the tag, so the texts in between are kept until the end tag
 * is read, and only then removed from the turn's entries.
 */
export class PrivatePassage {
  #held: Held[] | null = null;
  #isOfPrompt = false;
  /** The prompt that closed a passage, and its part outside, because a queued prompt is recorded twice. */
  #closing: { prompt: string; rest: string } | null = null;

  /** Returns the part of a prompt outside a passage that the previous prompt opened. */
  ofPrompt(prompt: string): string {
    if (this.#closing?.prompt === prompt) return this.#closing.rest;
    const rest = this.#held !== null && this.#isOfPrompt ? afterPrivate(prompt) : null;
    if (rest === null) return prompt;
    this.#empty();
    this.#closing = { prompt, rest };
    return rest;
  }

  /** Returns the passage of the turn that a prompt starts. The prompt itself is cleaned elsewhere. */
  next(prompt: string): PrivatePassage {
    const passage = new PrivatePassage();
    passage.#closing = this.#closing;
    if (!opensPrivate(prompt)) return passage;
    passage.#held = [];
    passage.#isOfPrompt = true;
    return passage;
  }

  /** Registers an entry before anything is added to it. */
  hold(entry: TurnEntry): void {
    this.#held?.push({ entry, texts: entry.texts.length });
  }

  /** Returns the part of an entry's next text outside a passage of an earlier text. */
  ofAnswer(text: string, entry: TurnEntry): string {
    const rest = this.#held === null ? null : afterPrivate(text);
    if (rest !== null) this.#empty();
    const kept = rest ?? text;
    // The rest of this text is removed when it is cleaned, so only its beginning counts.
    if (this.#held === null && opensPrivate(kept)) {
      this.#held = [{ entry, texts: entry.texts.length + 1 }];
      this.#isOfPrompt = false;
    }
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

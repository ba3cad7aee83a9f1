import type { RawTurn, TranscriptStep } from "../transcript/transcript.ts";
import type { ExcludeTest } from "./exclude.ts";

/**
 * The sessions of one transcript that are left out, until they work in another project. Only their ids are stored: a
 * record that arrives alone in a later append, such as a pull request, does not say where it belongs.
 */
export class LeftOut {
  readonly #sessions: Set<string>;
  readonly #isExcluded: ExcludeTest;

  constructor(known: readonly string[], isExcluded: ExcludeTest) {
    this.#sessions = new Set(known);
    this.#isExcluded = isExcluded;
  }

  get sessionIds(): string[] {
    return [...this.#sessions];
  }

  has({ sessionId }: { sessionId: string }): boolean {
    return this.#sessions.has(sessionId);
  }

  /** Whether a turn is left out because of its directory or, if that is unknown, because of its session. */
  hasTurn({ sessionId, cwd }: RawTurn): boolean {
    return cwd === null ? this.has({ sessionId }) : this.#isExcluded(cwd);
  }

  see({ sessions, turns }: TranscriptStep): void {
    const places = turns.flatMap(({ sessionId, cwd }) => (cwd === null ? [] : { sessionId, cwd }));
    for (const { sessionId, cwd } of places) if (this.#isExcluded(cwd)) this.#sessions.add(sessionId);
    for (const { sessionId, cwd } of places) if (!this.#isExcluded(cwd)) this.#sessions.delete(sessionId);
    for (const { sessionId, projectDir } of sessions)
      if (projectDir !== null && this.#isExcluded(projectDir)) this.#sessions.add(sessionId);
  }
}

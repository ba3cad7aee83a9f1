import { listOf, parseObject, stringOf } from "../transcript/json.ts";
import { withoutSessions } from "../transcript/state.ts";
import type { RawTurn, TranscriptStep } from "../transcript/transcript.ts";
import type { ExcludeTest } from "./exclude.ts";

/**
 * The sessions of one transcript that are left out, until they work somewhere else. The reader's state carries their
 * ids on, and nothing more: what comes alone in a later append, such as a pull request, does not say where it belongs.
 */
export class LeftOut {
  readonly #sessions: Set<string>;
  readonly #isExcluded: ExcludeTest;

  constructor(state: string | null, isExcluded: ExcludeTest) {
    const known = state === null ? null : parseObject(state);
    this.#sessions = new Set(listOf(known?.leftOut).flatMap((id) => stringOf(id) ?? []));
    this.#isExcluded = isExcluded;
  }

  has({ sessionId }: { sessionId: string }): boolean {
    return this.#sessions.has(sessionId);
  }

  /** Whether a turn is left out: for where it was done, or when nothing tells that, with its session. */
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

  /** The reader's state without what was said in these sessions. */
  inState(state: string | null): string | null {
    if (state === null || this.#sessions.size === 0) return state;
    const rest = withoutSessions(state, (session) => this.has(session));
    return JSON.stringify({ ...rest, leftOut: [...this.#sessions] });
  }
}

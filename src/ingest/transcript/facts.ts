import { DESCRIPTION_GRAPHEMES } from "../../constants.ts";
import type { SessionFacts, TitleSource } from "../../domain.ts";
import { truncateGraphemes } from "../../text/cut.ts";
import { namesMatter } from "../../text/names.ts";
import { evenly } from "../../text/one-line.ts";
import type { ConversationEvent } from "./events.ts";

/** Precedence of titles: a person's title stays; a title made from the whole session replaces an older one. */
const RANK: Readonly<Record<TitleSource, number>> = { summary: 0, "ai-title": 1, "custom-title": 2 };

/** Collects facts about the sessions of one source from its events. */
export class Facts {
  readonly #sessions = new Map<string, SessionFacts>();
  readonly #changed = new Set<string>();
  readonly #clean: (text: string) => string;

  constructor(known: readonly SessionFacts[], clean: (text: string) => string) {
    this.#clean = clean;
    for (const facts of known) this.#sessions.set(facts.sessionId, facts);
  }

  /** Returns all facts, for the reader's state. */
  all(): SessionFacts[] {
    return [...this.#sessions.values()];
  }

  /** Returns the facts that changed since the last call. */
  take(): SessionFacts[] {
    const changed = [...this.#changed].map((id) => ({ ...this.#of(id) }));
    this.#changed.clear();
    return changed;
  }

  see(sessionId: string, event: ConversationEvent): void {
    const facts = this.#of(sessionId);
    facts.projectDir ??= event.cwd;
    facts.branch = event.branch ?? facts.branch;
    facts.automated = event.isTyped ? false : (facts.automated ?? event.isAutomated);
    facts.startedAt = earlier(facts.startedAt, event.timestamp);
    facts.endedAt = later(facts.endedAt, event.timestamp);
    this.#changed.add(sessionId);
  }

  firstPrompt(sessionId: string, text: string): void {
    const facts = this.#of(sessionId);
    facts.firstPrompt ??= named(describe(text));
    this.#changed.add(sessionId);
  }

  title(sessionId: string, source: TitleSource, given: string | null): boolean {
    const title = named(describe(this.#clean(given ?? "")));
    if (title === null) return false;
    const facts = this.#of(sessionId);
    if (facts.titleSource !== null && RANK[facts.titleSource] > RANK[source]) return true;
    facts.title = title;
    facts.titleSource = source;
    this.#changed.add(sessionId);
    return true;
  }

  #of(sessionId: string): SessionFacts {
    let facts = this.#sessions.get(sessionId);
    if (!facts) {
      facts = unknownFacts(sessionId);
      this.#sessions.set(sessionId, facts);
    }
    return facts;
  }
}

function unknownFacts(sessionId: string): SessionFacts {
  return {
    sessionId,
    projectDir: null,
    title: null,
    titleSource: null,
    firstPrompt: null,
    automated: null,
    branch: null,
    startedAt: null,
    endedAt: null,
  };
}

function named(title: string | null): string | null {
  return title !== null && namesMatter(title) ? title : null;
}

/** Returns the first words of a text on one line; null when there are none. */
export function describe(text: string): string | null {
  const line = evenly(text.slice(0, 20 * DESCRIPTION_GRAPHEMES));
  return line === "" ? null : truncateGraphemes(line, DESCRIPTION_GRAPHEMES);
}

function earlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}

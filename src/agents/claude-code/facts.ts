import { DESCRIPTION_GRAPHEMES } from "../../constants.ts";
import type { PrLink, SessionFacts, TitleSource } from "../../domain.ts";
import { evenly } from "../../text/even.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { numberOf, stringOf } from "../../transcript/json.ts";
import type { Entry } from "./entry.ts";
import { isTyped } from "./speaker.ts";

/** A title that a person chose stays; one that was made from the whole session replaces an older one. */
const RANK: Readonly<Record<TitleSource, number>> = { summary: 0, "ai-title": 1, "custom-title": 2 };

/** What is known of the sessions of one file; grows as entries come. */
export class Facts {
  readonly #sessions = new Map<string, SessionFacts>();
  readonly #changed = new Set<string>();
  readonly #clean: (text: string) => string;

  constructor(known: readonly SessionFacts[], clean: (text: string) => string) {
    this.#clean = clean;
    for (const facts of known) this.#sessions.set(facts.sessionId, facts);
  }

  /** Everything known, for the reader's state. */
  all(): SessionFacts[] {
    return [...this.#sessions.values()];
  }

  /** What changed since the last call. */
  take(): SessionFacts[] {
    const changed = [...this.#changed].map((id) => ({ ...this.#of(id) }));
    this.#changed.clear();
    return changed;
  }

  see(sessionId: string, entry: Entry): void {
    const facts = this.#of(sessionId);
    facts.projectDir ??= entry.cwd;
    facts.branch = entry.branch ?? facts.branch;
    facts.automated = isTyped(entry) ? false : (facts.automated ?? automatedBy(entry));
    facts.startedAt = earlier(facts.startedAt, entry.timestamp);
    facts.endedAt = later(facts.endedAt, entry.timestamp);
    this.#changed.add(sessionId);
  }

  firstPrompt(sessionId: string, text: string): void {
    const facts = this.#of(sessionId);
    facts.firstPrompt ??= describe(text);
    this.#changed.add(sessionId);
  }

  title(sessionId: string, source: TitleSource, given: unknown): boolean {
    const title = describe(this.#clean(stringOf(given) ?? ""));
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

/** The first words of a text on one line; null when there are none. */
export function describe(text: string): string | null {
  const line = evenly(text.slice(0, 20 * DESCRIPTION_GRAPHEMES));
  return line === "" ? null : truncateGraphemes(line, DESCRIPTION_GRAPHEMES);
}

function automatedBy(entry: Entry): boolean | null {
  return entry.entrypoint === null ? null : entry.entrypoint.startsWith("sdk");
}

function earlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** Reads a `pr-link` entry; null when its number or address is missing. */
export function prLinkOf(sessionId: string, entry: Entry): PrLink | null {
  const prNumber = numberOf(entry.raw.prNumber);
  const prUrl = stringOf(entry.raw.prUrl);
  if (prNumber === null || prUrl === null) return null;
  const prRepository = stringOf(entry.raw.prRepository) ?? "";
  return { sessionId, prNumber, prUrl, prRepository, timestamp: entry.timestamp };
}

import type { BrowseStore, JournalStore, SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { compareTimes } from "../../text/when.ts";
import { findConversation } from "../matter/conversation.ts";
import { quoteFoundFirst } from "../matter/found-first.ts";
import type { QueryParts } from "../query.ts";
import { RANKED_CHARS } from "../read-to-rank.ts";
import { soughtWords } from "../statement/features.ts";
import type { JudgedResult, Worth } from "./choose.ts";
import { quotationTest } from "./heard.ts";

interface QuotedDeps {
  sessionId: string;
  parts: QueryParts;
  store: Pick<SearchStore, "turns">;
  browse: Pick<BrowseStore, "neighbours">;
  journal: Pick<JournalStore, "turnsToldIn">;
  /** Turns that must not be shown, or were shown to this session. */
  untold: ReadonlySet<number>;
}

/**
 * Replaces turns that only quote a turn, because it was shown to their session, by that turn. Drops quotations of turns that must
 * not be shown.
 */
export async function withoutQuotations(
  judged: readonly JudgedResult[],
  deps: QuotedDeps,
): Promise<readonly JudgedResult[]> {
  const originals = await originalsOf(judged, deps);
  if (originals.size === 0) return judged;
  const byId = new Map(judged.map((each) => [each.scored.turn.turnId, each]));
  const taken = new Set<JudgedResult>();
  return judged.flatMap((each) => {
    const first = byId.get(findOriginal(each.scored.turn.turnId, originals));
    if (first === undefined || taken.has(first)) return [];
    taken.add(first);
    return [{ scored: first.scored, worth: replacementWorth(each, first) }];
  });
}

/** Follows quotations of quotations to the original. Each is later than its original, so this ends. */
function findOriginal(turnId: number, originals: ReadonlyMap<number, number>): number {
  const quoted = originals.get(turnId);
  return quoted === undefined ? turnId : findOriginal(quoted, originals);
}

/**
 * Returns the worth of an original in place of its quotation. A turn that needs more certainty for its own sake keeps its limit.
 */
function replacementWorth({ worth: quoting }: JudgedResult, { worth }: JudgedResult): Worth {
  return worth.stricterFor === null && quoting.probability > worth.probability ? quoting : worth;
}

/** Returns the turns that only quote, each with its original. */
async function originalsOf(
  judged: readonly JudgedResult[],
  { sessionId, parts, store, browse, journal, untold }: QuotedDeps,
): Promise<Map<number, number>> {
  const originals = new Map<number, number>();
  const sought = soughtWords(parts);
  const turns = judged.map(({ scored }) => scored.turn).filter((turn) => turn.sessionId !== sessionId);
  const known = new Set([...judged.map(({ scored }) => scored.turn.turnId), ...untold]);
  const told = new Map<string, StoredTurn[]>();
  for (const id of new Set(turns.map((turn) => turn.sessionId)))
    told.set(id, await store.turns([...known.intersection(await journal.turnsToldIn(id))], RANKED_CHARS));
  for (const turn of turns) {
    const earlier = told.get(turn.sessionId)?.filter((each) => isBefore(each, turn)) ?? [];
    const said =
      earlier.length === 0 ? [] : quoteFoundFirst(await findConversation(turn, browse), { sought });
    const quoted = earlier.find(
      (source) => said.length > 0 && said.map(({ text }) => text).every(quotationTest(source.text)),
    );
    if (quoted !== undefined) originals.set(turn.turnId, quoted.turnId);
  }
  return originals;
}

function isBefore(first: StoredTurn, turn: StoredTurn): boolean {
  return first.createdAt !== null && compareTimes(first.createdAt, turn.createdAt) < 0;
}

import type { RecallStore } from "../../store/marks.ts";
import type { JournalStore, SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { compareTimes } from "../../text/when.ts";
import type { QueryParts } from "../query.ts";
import { RANKED_CHARS } from "../read-to-rank.ts";
import type { Judged, Worth } from "./choose.ts";
import { quotedFrom } from "./heard.ts";
import { statementsOf } from "./told.ts";

interface QuotedDeps {
  sessionId: string;
  parts: QueryParts;
  store: Pick<SearchStore, "turns">;
  recall: Pick<RecallStore, "turnsAfter" | "turnsBefore">;
  journal: Pick<JournalStore, "turnsToldIn">;
  /** Turns that must not be told, or were told to this session. */
  untold: ReadonlySet<number>;
}

/**
 * Puts the turn that said something first in the place of turns that only quote it, because their session was told it. A
 * quotation of a turn that must not be told is left out.
 */
export async function withoutQuotations(
  judged: readonly Judged[],
  deps: QuotedDeps,
): Promise<readonly Judged[]> {
  const originals = await originalsOf(judged, deps);
  if (originals.size === 0) return judged;
  const byId = new Map(judged.map((each) => [each.scored.turn.turnId, each]));
  const taken = new Set<Judged>();
  return judged.flatMap((each) => {
    const first = byId.get(firstOf(each.scored.turn.turnId, originals));
    if (first === undefined || taken.has(first)) return [];
    taken.add(first);
    return [{ scored: first.scored, worth: worthInPlaceOf(each, first) }];
  });
}

/** A quotation may itself be quoted. Each is later than what it quotes, so this ends. */
function firstOf(turnId: number, originals: ReadonlyMap<number, number>): number {
  const quoted = originals.get(turnId);
  return quoted === undefined ? turnId : firstOf(quoted, originals);
}

/** What must be surer for its own sake stays as sure as it is. */
function worthInPlaceOf({ worth: quoting }: Judged, { worth }: Judged): Worth {
  return worth.stricterFor === null && quoting.probability > worth.probability ? quoting : worth;
}

/** The turns that only quote, each with the turn that it quotes. */
async function originalsOf(
  judged: readonly Judged[],
  { sessionId, parts, store, recall, journal, untold }: QuotedDeps,
): Promise<Map<number, number>> {
  const originals = new Map<number, number>();
  const turns = judged.map(({ scored }) => scored.turn).filter((turn) => turn.sessionId !== sessionId);
  const known = new Set([...judged.map(({ scored }) => scored.turn.turnId), ...untold]);
  const told = new Map<string, StoredTurn[]>();
  for (const id of new Set(turns.map((turn) => turn.sessionId)))
    told.set(id, await store.turns([...known.intersection(await journal.turnsToldIn(id))], RANKED_CHARS));
  for (const turn of turns) {
    const earlier = told.get(turn.sessionId)?.filter((each) => isBefore(each, turn)) ?? [];
    const said = earlier.length === 0 ? [] : await statementsOf(turn, parts, { search: store, recall });
    const quoted = earlier.find(({ text }) => said.length > 0 && said.every(quotedFrom(text)));
    if (quoted !== undefined) originals.set(turn.turnId, quoted.turnId);
  }
  return originals;
}

function isBefore(first: StoredTurn, turn: StoredTurn): boolean {
  return first.createdAt !== null && compareTimes(first.createdAt, turn.createdAt) < 0;
}

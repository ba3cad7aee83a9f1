import type { Filter } from "../../../filter/filter.ts";
import type { SearchStore } from "../../contract/store.ts";
import { checkDimensions } from "../../shared/active-model.ts";
import { onceEach } from "../../shared/once-each.ts";
import { browseStore } from "../browse/store.ts";
import { turnCondition } from "../filter.ts";
import { type ProjectDatabase, type TeamProject, withinTransaction } from "../query.ts";
import { storedChunks, storedTurns } from "../turns/stored-turns.ts";
import { nearestChunks, sampleDistances, turnDistances } from "../vectors/nearest-chunks.ts";
import { type SearchedModel, searchedModel } from "../vectors/vector-index.ts";
import { rarest, searchWords, type TextKind, turnsWith } from "./keywords.ts";
import { countFitting, totals } from "./totals.ts";
import { turnsByCommit, turnsByFile, turnsByPr, turnsByTitle } from "./turns.ts";

// A transaction sees one unchanging view, so it is asked for these once.
const totalsOf = onceEach(totals);
const modelOf = onceEach(searchedModel);

export function searchStore(project: Pick<TeamProject, "read">): SearchStore {
  const rareOf = onceEach((terms: readonly string[]) =>
    terms.length === 0
      ? Promise.resolve([])
      : project.read(async (database) => rarest(database, terms, (await totalsOf(database)).turns)),
  );
  /** Reads with the active model; `none` where there is none yet. */
  const withModel = <T>(
    query: Float32Array,
    none: T,
    read: (database: ProjectDatabase, model: SearchedModel) => Promise<T>,
  ) =>
    project.read(async (database) => {
      const model = await modelOf(database);
      if (model === null) return none;
      checkDimensions(model, query);
      return read(database, model);
    });
  const byKeywords = async (
    kind: TextKind,
    ...[terms, limit, filter]: Parameters<SearchStore["keywordChunks"]>
  ) => {
    const rare = await rareOf(terms);
    const wanted = { limit, turns: turnCondition(filter) };
    return project.read((database) => searchWords(database, kind, rare, wanted));
  };
  return {
    snapshot: (work) =>
      project.read((database) => {
        const inside = withinTransaction(database);
        return work(searchStore(inside), browseStore(inside));
      }),
    nearestChunks: (query, limit, filter = {}) =>
      withModel(query, [], (database, model) => nearestChunks(database, { model, query, limit, filter })),
    sampleDistances: (query, sample) =>
      withModel(query, [], (database, model) => sampleDistances(database, model, query, sample)),
    turnDistances: (query, turnIds) =>
      withModel(query, [], (database, model) => turnDistances(database, model, query, turnIds)),
    keywordChunks: (...wanted) => byKeywords("chunk", ...wanted),
    keywordTurns: (...wanted) => byKeywords("turn", ...wanted),
    termTurns: (terms, maxTurns, filter) =>
      project.read((database) => turnsOfTerms(database, terms, maxTurns, filter)),
    turnsByFile: (hints, limit, filter) =>
      project.read((database) => turnsByFile(database, hints, { limit, filter })),
    turnsByCommit: (hashes, limit, filter) =>
      project.read((database) => turnsByCommit(database, hashes, { limit, filter })),
    turnsByPr: (numbers, limit, filter) =>
      project.read((database) => turnsByPr(database, numbers, { limit, filter })),
    turnsByTitle: (texts, limit, filter) =>
      project.read((database) => turnsByTitle(database, texts, { limit, filter })),
    turns: (turnIds, chars) => project.read((database) => storedTurns(database, turnIds, chars)),
    chunks: (chunkIds) => project.read((database) => storedChunks(database, chunkIds)),
    totals: (filter) =>
      project.read(async (database) => {
        const turns = turnCondition(filter);
        const all = await totalsOf(database);
        return turns.empty ? all : { ...all, ...(await countFitting(database, turns)) };
      }),
    modelId: () => project.read(async (database) => (await modelOf(database))?.name ?? null),
  };
}

/** The turns of each term; terms of too many turns are left out. */
async function turnsOfTerms(
  database: ProjectDatabase,
  terms: readonly string[],
  maxTurns: number,
  filter: Filter | undefined,
): Promise<Map<string, number[]>> {
  const found = await turnsWith(database, terms, maxTurns, turnCondition(filter));
  return new Map(
    terms.flatMap((term, i) => {
      const ids = found[i] ?? null;
      return ids === null ? [] : [[term, ids] as const];
    }),
  );
}

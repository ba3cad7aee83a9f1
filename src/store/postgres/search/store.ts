import { onceEach } from "../../search/once-each.ts";
import type { SearchStore } from "../../store.ts";
import { type ActiveModel, checkDimensions } from "../../vectors/models.ts";
import { turnCondition } from "../filter.ts";
import type { ProjectDatabase, TeamProject } from "../query.ts";
import { storedChunks, storedTurns } from "../turns/stored-turns.ts";
import { activeModel } from "../vectors/models.ts";
import { chunkDistances, nearestChunks, sampleDistances, turnDistances } from "../vectors/nearest-chunks.ts";
import { accessPattern, nearestSessions } from "../vectors/sessions.ts";
import { rarest, searchWords, turnsWith } from "./keywords.ts";
import { recentResources } from "./resources.ts";
import { totals } from "./totals.ts";
import { turnsByCommit, turnsByFile, turnsByPr } from "./turns.ts";

export function searchStore(project: TeamProject): SearchStore {
  const rareOf = onceEach((terms: readonly string[]) => project.read((database) => rarest(database, terms)));
  /** Reads with the active model; `none` where there is none yet. */
  const withModel = <T>(
    query: Float32Array,
    none: T,
    read: (database: ProjectDatabase, model: ActiveModel) => Promise<T>,
  ) =>
    project.read(async (database) => {
      const model = await activeModel(database);
      if (model === null) return none;
      checkDimensions(model, query);
      return read(database, model);
    });
  return {
    async nearestChunks(query, limit, filter = {}, isLate = () => false) {
      const hits = await withModel(query, [], async (database, model) =>
        isLate() ? [] : nearestChunks(database, { model, query, limit, filter }),
      );
      return isLate() ? [] : hits;
    },
    nearestDistance: (query, filter = {}) =>
      withModel(query, null, async (database, model) => {
        const [nearest] = await nearestChunks(database, { model, query, limit: 1, filter });
        return nearest?.distance ?? null;
      }),
    sampleDistances: (query, sample) =>
      withModel(query, [], (database, model) => sampleDistances(database, model, query, sample)),
    turnDistances: (query, turnIds) =>
      withModel(query, [], (database, model) => turnDistances(database, model, query, turnIds)),
    chunkDistances: (query, chunkIds) =>
      withModel(query, [], (database, model) => chunkDistances(database, model, query, chunkIds)),
    async keywordChunks(terms, limit, filter) {
      const rare = terms.length === 0 ? [] : await rareOf(terms);
      const wanted = { limit, turns: turnCondition(filter) };
      return project.read((database) => searchWords(database, "chunks", rare, wanted));
    },
    async keywordTurns(terms, limit, filter) {
      const rare = terms.length === 0 ? [] : await rareOf(terms);
      const wanted = { limit, turns: turnCondition(filter) };
      return project.read((database) => searchWords(database, "turns", rare, wanted));
    },
    async termTurns(terms, maxTurns) {
      const found = await project.read((database) => turnsWith(database, terms, maxTurns + 1));
      return new Map(
        terms.flatMap((term, i) => {
          const ids = found[i] ?? [];
          return ids.length > maxTurns ? [] : [[term, ids] as const];
        }),
      );
    },
    turnsByFile: (hints, limit, filter) =>
      project.read((database) => turnsByFile(database, hints, { limit, filter })),
    turnsByCommit: (hashes, limit, filter) =>
      project.read((database) => turnsByCommit(database, hashes, { limit, filter })),
    turnsByPr: (numbers, limit, filter) =>
      project.read((database) => turnsByPr(database, numbers, { limit, filter })),
    accessPattern: (sessionId, window) =>
      project.read((database) => accessPattern(database, sessionId, window)),
    nearestSessions: (centroid, limit, exceptSessionId, filter = {}) =>
      project.read((database) => nearestSessions(database, centroid, { limit, exceptSessionId, filter })),
    recentResources: (sessionId, limits) =>
      project.read((database) => recentResources(database, sessionId, limits)),
    turns: (turnIds) => project.read((database) => storedTurns(database, turnIds)),
    chunks: (chunkIds) => project.read((database) => storedChunks(database, chunkIds)),
    totals: () => project.read(totals),
    modelId: () => project.read(async (database) => (await activeModel(database))?.name ?? null),
  };
}

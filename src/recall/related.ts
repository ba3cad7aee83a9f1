import type { VectorOwner } from "../store/browse.ts";
import type { Filter } from "../store/filter.ts";
import type { BrowseStore, LocalSearchStore, SearchStore } from "../store/store.ts";
import { writtenTerms } from "../text/keywords.ts";
import { shareOfTexts } from "./common-words.ts";
import { type InFiles, sessionsByFiles, sessionsByWords } from "./in-common.ts";
import { type SameMatter, sessionsByMatter } from "./same-matter.ts";

/** Parameters for related sessions: k of the reciprocal rank fusion of the two rankings, and how far each ranking is read. */
const RELATED = { rankOffset: 10, widening: 3, chunks: 256, maxChunks: 8_192 } as const;

/** A session that is related to a path, a turn or another session. */
export interface RelatedSession {
  sessionId: string;
  /** Cosine distance between the resources of both; null when it is not among the nearest. */
  accessDistance: number | null;
  /** Cosine distance of its nearest chunk to the mean vector of the other's chunks. */
  textDistance: number | null;
  /** Files that both touched. */
  sharedFiles: string[];
  /** The issue, pull request, URL or prompt that both have; null when there is none. */
  sameMatter: SameMatter | null;
  /** Rare words of both as written, the rarest first. */
  sharedWords: string[];
  /** Number of the session's turns that touched the requested path; null without one. */
  touchedIn: number | null;
  /** Worth of the shared files; a file counts more, the fewer sessions touched it. */
  filesWorth: number;
}

type Touched = Pick<LocalSearchStore, "accessPattern" | "nearestSessions" | "resourceVector">;

export interface RelatedDeps {
  browse: Pick<BrowseStore, "fileHistory" | "meanVector" | "filesOf" | "sessionsOfTurns">;
  search: Pick<SearchStore, "nearestChunks" | "termTurns" | "turns">;
  /** Vectors of the sessions' resources; null when only texts are known. */
  touched: Touched | null;
}

/**
 * The object to find related sessions for: a file, or the most touched `files` of a directory. The session of a turn is left out
 * of the results.
 */
export type RelatedTo =
  | { path: string; files?: readonly string[] }
  | { sessionId: string }
  | { turnId: number; sessionId: string };

/**
 * Finds sessions that worked on the same or similar files, or share words or similar texts. First come sessions whose prompts
 * name the same issue or URL, or are the same; then those that share most files, where a file counts more, the fewer sessions
 * touched it; then those with the nearest text. Needs no model, and no vectors for shared names. `text` provides the words,
 * `prompts` the questions.
 */
export async function relatedSessions(
  to: RelatedTo,
  {
    limit,
    filter = {},
    text: own = "",
    prompts = [],
  }: { limit: number; filter?: Filter; text?: string; prompts?: readonly string[] },
  deps: RelatedDeps,
): Promise<RelatedSession[]> {
  const ownSession = "sessionId" in to ? to.sessionId : "";
  const files = await filesOf(to, deps);
  const access =
    deps.touched === null
      ? []
      : await nearestByTouched(to, files, { limit: limit * RELATED.widening, filter }, deps.touched);
  const text = await nearestByText(to, ownSession, { limit, filter }, deps);
  const accessBy = new Map(access.map(({ sessionId, distance }) => [sessionId, distance]));
  const byFiles = await sessionsByFiles(files, ownSession, filter, deps);
  const words = telling(own);
  const byWords = await sessionsByWords(words, ownSession, filter, deps);
  const byMatter = await sessionsByMatter(prompts, ownSession, filter, deps.search);
  const near = access.map(({ sessionId }) => sessionId);
  const fused = fuseRankings([near, [...text.nearest.keys()], [...byFiles.keys()], [...byWords.keys()]]);
  const named = [...byMatter.keys(), ...fused.filter((id) => !byMatter.has(id))];
  const best = ("path" in to ? mostFirst(fused, byFiles) : named).slice(0, limit);
  const related = await Promise.all(
    best.map(async (sessionId) => ({
      sessionId,
      accessDistance: accessBy.get(sessionId) ?? null,
      textDistance: text.nearest.get(sessionId) ?? (await text.distanceOf(sessionId)),
      sharedFiles: rarestFirst(
        (await deps.browse.filesOf({ sessionId })).filter((path) => files.has(path)),
        byFiles.get(sessionId)?.files ?? [],
      ),
      sameMatter: byMatter.get(sessionId) ?? null,
      sharedWords: byWords.get(sessionId) ?? [],
      touchedIn: "path" in to ? (byFiles.get(sessionId)?.turns ?? 0) : null,
      filesWorth: byFiles.get(sessionId)?.worth ?? 0,
    })),
  );
  return related.toSorted(nearerFirst);
}

/** Sorts paths in the order of `rarest`; missing ones come last. */
function rarestFirst(paths: readonly string[], rarest: readonly string[]): string[] {
  const rank = new Map(rarest.map((path, at) => [path, at]));
  return paths.toSorted((a, b) => (rank.get(a) ?? rarest.length) - (rank.get(b) ?? rarest.length));
}

/** Maximum shown sessions that are merely similar. */
const NEAREST = 5;

/** Drops merely similar sessions if others share a matter, a file or rare words; otherwise keeps only the nearest. */
export function closestRelated<T extends Pick<RelatedSession, "sameMatter" | "sharedFiles" | "sharedWords">>(
  related: readonly T[],
): readonly T[] {
  const named = related.filter(
    ({ sameMatter, sharedFiles, sharedWords }) =>
      sameMatter !== null || sharedFiles.length + sharedWords.length > 0,
  );
  return named.length > 0 ? named : related.slice(0, NEAREST);
}

/** Sorts ids by number of turns, equals in their order. */
function mostFirst(ids: readonly string[], by: ReadonlyMap<string, InFiles>): string[] {
  return ids.toSorted((a, b) => (by.get(b)?.turns ?? 0) - (by.get(a)?.turns ?? 0));
}

function nearerFirst(a: RelatedSession, b: RelatedSession): number {
  const touched = (b.touchedIn ?? 0) - (a.touchedIn ?? 0);
  const matter = (b.sameMatter?.worth ?? 0) - (a.sameMatter?.worth ?? 0);
  const files = b.filesWorth - a.filesWorth || b.sharedFiles.length - a.sharedFiles.length;
  return touched || matter || files || (a.textDistance ?? 2) - (b.textDistance ?? 2);
}

/** Returns the words of a turn or of a session's prompts; none for a path. */
export async function relatedWords(
  to: RelatedTo,
  { browse, search }: { browse: Pick<BrowseStore, "turnsOf">; search: Pick<SearchStore, "turns"> },
): Promise<string> {
  if ("turnId" in to)
    return (await search.turns([to.turnId], WORDS_CHARS))[0]?.text.slice(0, WORDS_CHARS) ?? "";
  if (!("sessionId" in to)) return "";
  const turns = await browse.turnsOf(to.sessionId);
  return turns.map(({ title }) => title).join("\n");
}

/** Characters of a turn to examine for its words. */
const WORDS_CHARS = 4_000;

/** Share of general developer texts from which a word does not identify a matter. */
const COMMON = 0.003;

/** Returns the words that distinguish a text's matter, each with its spelling. */
function telling(text: string): Map<string, string> {
  const words = [...writtenTerms(text, MAX_WORDS)];
  return new Map(
    words.filter(
      ([word]) => word.length > 3 && !MANNER.test(word) && !EVERYDAY.has(word) && shareOfTexts(word) < COMMON,
    ),
  );
}

/** Adverbs of manner. */
const MANNER = /^[a-z]{3,}ly$/;

/** Everyday words of conversations, which are rare in texts for developers. */
const EVERYDAY: ReadonlySet<string> = new Set(
  "afraid anybody anymore anyone anything anyway awesome awful black blue bothers brief care careful clue cool crazy curious days dear evening everybody everyone everything exact fair favor feel feels felt forgot forth friend funny gave glad goes gone gonna green guess guys happy hard hate hear heard hell hello honest hope idea ideas kind knew late later less life looked looking looks lots love mate maybe mean means mind month months morning nice night nobody obvious okay ones perhaps piece pretty quick quite real reason remember saying says seem seems seen simple smart sober somebody someone something somewhere soon sorry stuff talk talked tell telling thank thanks think thinking thought tired today together told tomorrow tonight took tried turned ugly understand wanna wanted week weeks weird went whatever white whole woke wonder wondered wondering words worry worth wrong yeah year years yellow yesterday young".split(
    " ",
  ),
);

/** Maximum words of a text to examine. */
const MAX_WORDS = 200;

/** Merges rankings by reciprocal rank: ids near the top of several rankings come first. */
export function fuseRankings(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings)
    for (const [rank, id] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RELATED.rankOffset + rank));
  return [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);
}

async function filesOf(to: RelatedTo, { browse }: RelatedDeps): Promise<Set<string>> {
  return new Set(
    "path" in to
      ? (to.files ?? [to.path])
      : await browse.filesOf("turnId" in to ? { turnId: to.turnId } : to),
  );
}

async function nearestByTouched(
  to: RelatedTo,
  files: ReadonlySet<string>,
  { limit, filter }: { limit: number; filter: Filter },
  touched: Touched,
): Promise<{ sessionId: string; distance: number }[]> {
  const pattern = await patternOf(to, files, touched);
  const ownSession = "sessionId" in to ? to.sessionId : "";
  return pattern === null ? [] : touched.nearestSessions(pattern, limit, ownSession, filter);
}

async function patternOf(
  to: RelatedTo,
  files: ReadonlySet<string>,
  touched: Touched,
): Promise<Float32Array | null> {
  if (!("path" in to) && !("turnId" in to)) return touched.accessPattern(to.sessionId, "full");
  const vectors = await Promise.all([...files].map((file) => touched.resourceVector(file)));
  return mean(vectors.filter((vector) => vector !== null));
}

function mean(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors;
  return first
    ? first.map((_, i) => vectors.reduce((sum, vector) => sum + (vector[i] ?? 0), 0) / vectors.length)
    : null;
}

/** Distances of sessions by their texts, and the assumed distance of all others; null when nothing has a vector. */
interface NearText {
  nearest: Map<string, number>;
  distanceOf(sessionId: string): Promise<number | null>;
}

/** Finds the distance of the nearest chunk of each session. Widens the search until it covers enough sessions. */
async function nearestByText(
  to: RelatedTo,
  ownSession: string,
  { limit, filter }: { limit: number; filter: Filter },
  { browse, search }: RelatedDeps,
): Promise<NearText> {
  const of: VectorOwner = "turnId" in to ? { turnId: to.turnId } : to;
  const vector = await browse.meanVector(of);
  const nearest = new Map<string, number>();
  if (vector === null) return { nearest, distanceOf: async () => null };
  const distanceOf = async (session: string) =>
    (await search.nearestChunks(vector, 1, { ...filter, session }))[0]?.distance ?? null;
  for (let count: number = RELATED.chunks; ; count *= 4) {
    const hits = await search.nearestChunks(vector, count, filter);
    const sessions = await browse.sessionsOfTurns(hits.map(({ turnId }) => turnId));
    for (const { turnId, distance } of hits) {
      const sessionId = sessions.get(turnId) ?? ownSession;
      if (sessionId !== ownSession && !nearest.has(sessionId)) nearest.set(sessionId, distance);
    }
    if (nearest.size >= limit || hits.length < count || count >= RELATED.maxChunks)
      return { nearest, distanceOf };
  }
}

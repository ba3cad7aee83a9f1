import type { HitSource } from "../domain.ts";
import { UNSPACED_LETTERS } from "../text/unspaced.ts";

/** Results for a query of one word, best first. */
export interface ByWord<Row> {
  /** Those that have the word, then those of sessions titled with it. Where there are none, all results. */
  found: Row[];
  /** Those that are only near it in meaning. */
  without: Row[];
}

/**
 * Keeps what has the word where a query of one word is asked: who types one wants to see where it stands. In a script
 * without blanks that may be a whole question, so what is near stays, behind the others.
 */
export function byWord<Row>(
  query: string,
  rows: readonly Row[],
  sourcesOf: (row: Row) => Iterable<HitSource>,
): ByWord<Row> {
  if (/\s/.test(query.trim())) return { found: [...rows], without: [] };
  const tiers = Map.groupBy(rows, (row) => tierOf([...sourcesOf(row)]));
  const [words = [], titles = [], near = []] = [tiers.get("word"), tiers.get("title"), tiers.get("near")];
  const named = [...words, ...titles];
  if (new RegExp(`[${UNSPACED_LETTERS}]`, "u").test(query))
    return { found: [...named, ...near], without: [] };
  return named.length > 0 ? { found: named, without: near } : { found: near, without: [] };
}

function tierOf(sources: readonly HitSource[]): "word" | "title" | "near" {
  if (sources.some((source) => source !== "vector" && source !== "title")) return "word";
  return sources.includes("title") ? "title" : "near";
}

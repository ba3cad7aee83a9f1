import type { RelatedSession } from "../search/related.ts";
import type { SessionSummary } from "../store/contract/types/browse.ts";
import { oneLine, renderList } from "./list.ts";
import { plural } from "./plural.ts";
import type { Screen } from "./screen.ts";
import { sessionCells, sessionColumns, sessionJson } from "./sessions.ts";

/** A related session with its summary. */
export interface Related extends RelatedSession {
  session: SessionSummary;
}

/** A related session as `--json` gives it; distances are cosine distances. */
export function relatedJson({
  session,
  accessDistance,
  textDistance,
  sameMatter,
  sharedFiles,
  sharedWords,
}: Related) {
  return {
    ...sessionJson(session),
    access_distance: rounded(accessDistance),
    text_distance: rounded(textDistance),
    same_prompt: sameMatter?.samePrompt ?? false,
    shared_names: sameMatter?.names ?? [],
    shared_files: sharedFiles,
    shared_words: sharedWords,
  };
}

function rounded(distance: number | null): number | null {
  return distance === null ? null : Math.round(distance * 1e4) / 1e4;
}

/** The number of sessions among which they were looked for, and whether what these touched was compared. */
export interface RelatedAmong {
  total: number;
  /** How many are shown at most. */
  limit: number;
  /** How many were found that are only similar, and are left out. */
  onlySimilar: number;
  knowsTouched: boolean;
}

/** Renders related sessions for a terminal, each with why it is related. */
export function renderRelated(
  related: readonly Related[],
  { total, limit, onlySimilar, knowsTouched }: RelatedAmong,
  screen: Screen,
): string {
  if (related.length === 0)
    return "Nothing is known yet that another session has in common with this: no files, no rare words, and no vectors.\n";
  const { first, last } = sessionColumns(screen);
  const list = renderList(
    [...first, ...last.slice(0, 2)],
    related.map(({ session }) => {
      const cells = sessionCells(session, screen);
      return [...cells.first, ...cells.last.slice(0, 2)];
    }),
    screen,
  );
  const [titles = "", ...rows] = list.trimEnd().split("\n");
  const explained = rows.map((row, at) => {
    const each = related[at];
    return each === undefined ? row : `${row}\n${screen.style.dim(`    ${why(each, screen)}`)}`;
  });
  const notes = [
    onlySimilar > 0
      ? similarOnly(onlySimilar, limit)
      : related.length < total && leftOut(related, { total, limit }),
    !knowsTouched &&
      "Compared by what was said. What was touched is compared on your machine: leave out --db.",
  ];
  return (
    `${[titles, ...explained].join("\n")}\n` +
    notes
      .map((note) => note && `${screen.style.dim(note)}\n`)
      .filter(Boolean)
      .join("")
  );
}

/** What is said of the sessions that are not shown. */
function leftOut(
  related: readonly Related[],
  { total, limit }: Pick<RelatedAmong, "total" | "limit">,
): string {
  const shown = `${related.length} of ${plural(total, "session")}`;
  const order = related.some(({ touchedIn }) => touchedIn !== null) ? PATH_ORDER : ORDER;
  return related.length < limit
    ? `${shown}: the others have nothing in common with it that is known`
    : `${shown}: ${order}; -n ${total} shows all that have something in common`;
}

/** What is said of sessions that have nothing in common by name. */
function similarOnly(count: number, limit: number): string {
  return `${count} more ${count === 1 ? "is" : "are"} only similar; -n, such as -n ${limit}, shows ${count === 1 ? "it" : "them"} too`;
}

const PATH_ORDER = "those that touched it in most turns first";
const ORDER =
  "those with the same issue, address or prompt first, then those with most files in common, rare ones above all, then the nearest by what was said";

/** Names, files and words to name. */
const NAMED = { names: 3, files: 4, words: 6 } as const;

/** Why a session is related: what it has in common by name, else what is similar. */
function why(
  { sameMatter, sharedFiles, sharedWords, accessDistance, textDistance, touchedIn }: Related,
  { style }: Screen,
): string {
  if (touchedIn !== null && touchedIn > 0) return `touched it in ${plural(touchedIn, "turn")}`;
  const names = shortNames(sharedFiles);
  const reasons = [
    sameMatter?.samePrompt && "the prompt, almost word for word",
    sameMatter && sameMatter.names.length > 0 && some(sameMatter.names, NAMED.names),
    names.length > 0 && `${plural(names.length, "file")}: ${some(names, NAMED.files)}`,
    sharedWords.length > 0 && `words: ${some(sharedWords, NAMED.words)}`,
  ].filter((reason) => typeof reason === "string");
  if (reasons.length > 0) return style.text(oneLine(`in common: ${reasons.join("; ")}`));
  const similar = [accessDistance !== null && "touched", textDistance !== null && "said"].filter(Boolean);
  return `similar in what was ${similar.join(" and ")}`;
}

/** The names of files; two that are the same have so many directories before them that they differ. */
function shortNames(paths: readonly string[]): string[] {
  const last = (path: string, parts: number) => path.split("/").slice(-parts).join("/");
  return paths.map((path) => {
    const most = path.split("/").length;
    const isOwn = (parts: number) =>
      paths.every((other) => other === path || last(other, parts) !== last(path, parts));
    for (let parts = 1; parts < most; parts++) if (isOwn(parts)) return last(path, parts);
    return path;
  });
}

function some(names: readonly string[], limit: number): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

import { oneLine } from "../../../agents/notices.ts";
import { scoreParts } from "../../../recall/fusion.ts";
import type { SearchResult } from "../../../recall/search.ts";
import { folded } from "../../../text/fold.ts";
import { printable } from "../../../text/invisible.ts";
import { isStopWord } from "../../../text/languages.ts";
import { plural } from "../../../text/numbers.ts";
import { cutToWords } from "../../../text/width.ts";
import { turnTitle } from "../../../turn/title.ts";
import { renderList } from "../../terminal/list.ts";
import type { Screen } from "../../terminal/screen.ts";

/** What the prompt hook's text would hold. */
export interface HookText {
  /** The turns that it tells, the surest first. */
  turns: readonly number[];
  /** Other turns on the same matters. */
  others: readonly number[];
}

/** All candidates and their scores, as `--explain --json` gives them. */
export function explainJson(
  { explain: { parts, spread, candidates, gate, hook } }: Pick<SearchResult, "explain">,
  text: HookText | null,
) {
  const turns = text?.turns ?? [];
  const told = hook?.told.flatMap(({ turnIds }) => turnIds) ?? [];
  return {
    hook: hook && {
      answers: turns.length > 0,
      trivial: hook.trivial,
      turns,
      other_turns: text?.others ?? [],
      without_room: told.filter((id) => !turns.includes(id)),
      without_words: hook.tells.filter((id) => !told.includes(id)),
      best: hook.best && {
        turn_id: hook.best.turnId,
        probability: rounded(hook.best.worth.probability),
        threshold: hook.best.worth.limit,
        stricter_for: hook.best.worth.stricterFor ?? (hook.isMarkedBad ? ("bad mark" as const) : null),
        judged_by: hook.best.worth.kind,
        features: roundedAll(hook.best.worth.features),
      },
    },
    gate: gate && {
      probability: rounded(gate.probability),
      base: rounded(gate.base),
      features: roundedAll(gate.features),
      contributions: roundedAll(gate.contributions),
    },
    terms: parts.terms.map(({ term, weight, turnIds }) => ({
      term,
      weight: rounded(weight),
      turns: turnIds?.length ?? null,
    })),
    phrases: parts.phrases,
    numbers: parts.literals.numbers,
    identifiers: parts.literals.identifiers,
    file_hints: parts.fileHints,
    commits: parts.references.commits,
    pr_numbers: parts.references.prNumbers,
    distance_median: spread && rounded(spread.median),
    distance_deviation: spread && rounded(spread.deviation),
    candidates: candidates.map(
      ({ scored: { candidate, turn, score, evidence }, filteredBy, confidence }) => ({
        turn_id: turn.turnId,
        session_id: turn.sessionId,
        sources: [...candidate.sources],
        distance: candidate.distance === null ? null : rounded(candidate.distance),
        chunk_keywords: rounded(candidate.chunkKeywords),
        turn_keywords: rounded(candidate.turnKeywords),
        files: candidate.files,
        references: candidate.references,
        score: rounded(score),
        score_parts: roundedAll(scoreParts({ score, evidence })),
        confidence: confidence ?? null,
        evidence: roundedAll(evidence),
        filtered_by: filteredBy,
      }),
    ),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

function roundedAll<Name extends string>(values: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = Object.entries<number>(values).map(([name, value]) => [name, rounded(value)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Candidates in the table; JSON has all of them. */
const SHOWN = 15;

/** How a candidate was found, in words. */
const FOUND_BY: Readonly<Record<string, string>> = {
  vector: "meaning",
  keyword: "words",
  file: "file",
  commit: "commit",
  pr: "pull request",
  access: "same place in the code",
  title: "title of its session",
};

/** Terms that are named as those that decided. */
const DECIDING = 5;

/** Why a candidate is not among the results; for `rank` see `leftOut`. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  repeat: "says the same as one above",
  distance: "too far from the question",
  word: "does not have the word",
};

/**
 * Renders why the results are what they are: what the question was read as, whether a prompt hook would answer, and the
 * best candidates with their evidence.
 */
export function renderExplanation(
  explain: SearchResult["explain"],
  printed: ResultsPrinted,
  screen: Screen,
): string {
  const found = explainJson({ explain }, printed.hookText);
  const { terms, phrases, numbers, identifiers, file_hints, commits, pr_numbers, candidates, hook } = found;
  const rare = terms
    .filter(isTyped(explain))
    .map(({ term, turns }) => `${term} (${turns === null ? "in many turns" : plural(turns, "turn")})`);
  const named = [...numbers, ...identifiers, ...file_hints, ...commits, ...pr_numbers.map((pr) => `#${pr}`)];
  const names = [...new Set(named)];
  const together = phrases.filter((phrase) => !phrase.split(" ").some(isStopWord));
  const shown = candidates.slice(0, SHOWN);
  const table = renderList(
    [
      { title: "TURN", align: "right", paint: screen.style.cyan },
      { title: "SURE" },
      { title: "SCORE", align: "right" },
      { title: "FOUND BY", cut: "end", maxWidth: 40, isOptional: true },
      { title: "LEFT OUT", cut: "end", maxWidth: 40, isOptional: true, paint: screen.style.dim },
    ],
    shown.map((candidate) => [
      `${candidate.turn_id}`,
      candidate.confidence ?? "-",
      candidate.score.toFixed(2),
      candidate.sources.map((source) => FOUND_BY[source] ?? source).join(", "),
      leftOut(candidate, printed),
    ]),
    screen,
  );
  const more = candidates.length - shown.length;
  return [
    screen.style.bold("Why these"),
    `Searched for the meaning of the question${rare.length > 0 ? `, and for the words ${printable(rare.join(", "))}` : ""}.`,
    ...decidingLine(explain),
    ...(together.length > 0 ? [`Looked for together: ${printable(together.join(", "))}.`] : []),
    ...(names.length > 0 ? [`Taken as names: ${printable(names.join(", "))}.`] : []),
    ...(hook === null ? [] : [hookLine(hook, titleIn(explain))]),
    "The surest stand first, and of equally sure ones those with the higher score; repeats, and those that are too far or lack the word, come last.",
    "",
    `${table}${more > 0 ? `and ${more} more; --json has all of them, with every number and what the score is made of\n` : ""}`,
  ].join("\n");
}

/** How many results were printed, and how many were asked for. */
interface ResultsPrinted {
  shown: readonly number[];
  limit: number;
  hookText: HookText | null;
}

/** Returns the reason why a candidate was not printed: it is beyond the limit, or no answer is certain. */
function leftOut(
  { turn_id, filtered_by }: { turn_id: number; filtered_by: string | null },
  { shown, limit }: Omit<ResultsPrinted, "hookText">,
): string {
  if (shown.includes(turn_id)) return "";
  if (filtered_by === "rank") return `after the first ${limit} (-k)`;
  return filtered_by === null
    ? "no sure answer: only the nearest are shown"
    : (LEFT_OUT[filtered_by] ?? filtered_by);
}

/** Names the words of the question that the best result has, those that weigh most first. */
function decidingLine({ parts, candidates }: SearchResult["explain"]): string[] {
  const best = candidates.find(({ filteredBy }) => filteredBy === null)?.scored.turn.turnId;
  if (best === undefined) return [];
  const deciding = parts.terms
    .filter(({ turnIds }) => turnIds?.includes(best))
    .filter(isTyped({ parts }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, DECIDING)
    .map(({ term }) => term);
  return deciding.length === 0
    ? [`No rare word of the question is in turn ${best}: its meaning decided.`]
    : [`Decided by these words, which turn ${best} has: ${printable(deciding.join(", "))}.`];
}

/** Tells whether a word stands in the question as it was typed: `writer.go` is looked for as `writergo`, too. */
function isTyped({ parts }: Pick<SearchResult["explain"], "parts">): (word: { term: string }) => boolean {
  const typed = folded(parts.text);
  return ({ term }) => typed.includes(term);
}

/** Names a turn among the candidates, `turn 7 ("Mend the valve")`; without its title where it is none of them. */
function titleIn({ candidates }: SearchResult["explain"]): (turnId: number) => string {
  return (turnId) => {
    const turn = candidates.find(({ scored }) => scored.turn.turnId === turnId)?.scored.turn;
    return turn === undefined
      ? `turn ${turnId}`
      : `turn ${turnId} ("${oneLine(cutToWords(turnTitle(turn, turn.sessionTitle), TITLE_WIDTH))}")`;
  };
}

/** Columns of a title in a sentence. */
const TITLE_WIDTH = 60;

type HookJson = NonNullable<ReturnType<typeof explainJson>["hook"]>;

/**
 * Says what the prompt hook would do with the query in a new session, and how sure it is. The hook ranks turns by
 * itself.
 */
function hookLine(hook: HookJson, named: (turnId: number) => string): string {
  const { trivial, turns, other_turns: others, best } = hook;
  if (trivial !== null) return `As the first prompt of a session it would get no recall: ${trivial}.`;
  if (best === null) return "As the first prompt of a session it would get no recall: nothing was found.";
  const quoted = others.length === 0 ? "" : `, with ${turnsOf(others)}`;
  const told = turns.length === 0 ? "no recall" : `${plural(turns.length, "turn")} (${turns.join(", ")})`;
  const why = best.stricter_for === null ? "" : ` (more than usual: ${STRICTER[best.stricter_for]})`;
  const by = best.judged_by === "words" ? ", judged by words alone" : "";
  return `As the first prompt of a session it would get ${told}${quoted}: of all turns, the prompt hook would weigh ${named(best.turn_id)}, which is worth telling with a probability of ${best.probability.toFixed(2)}, and ${best.threshold.toFixed(2)} is needed${why}${by}.${leftOutOfText(hook)}`;
}

/** Why a turn must be surer than usual. */
const STRICTER: Readonly<Record<NonNullable<NonNullable<HookJson["best"]>["stricter_for"]>, string>> = {
  session: "the agent may still see that turn",
  task: "the prompt names a task that the turn does not",
  chore: "most words of the prompt are those of chores, such as commits and merges",
  "pull request": "the prompt names a pull request that the turn does not",
  "bad mark": "an answer to such a prompt was marked as bad",
};

/** Names the turns that are worth telling and yet are not in the text. */
function leftOutOfText({ without_room: room, without_words: words }: HookJson): string {
  return [
    ...(room.length === 0 ? [] : [` The text has no room for ${turnsOf(room)}.`]),
    ...(words.length === 0 ? [] : [` Nothing is told of ${turnsOf(words)}, for want of words.`]),
  ].join("");
}

function turnsOf(ids: readonly number[]): string {
  return `${ids.length === 1 ? "turn" : "turns"} ${ids.join(", ")}`;
}

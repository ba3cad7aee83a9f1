import { CHANGING_TOOLS } from "../../constants.ts";
import { saidIn, textOf } from "../../turn/parts.ts";
import { LABELS } from "../../turn/text.ts";
import type { Scored } from "../fusion.ts";
import { passageOf } from "../passage.ts";
import type { Statement } from "./features.ts";

/**
 * Of a longer turn only the sentences nearest to the query are compared, and the start of its prompt: a long text has some of
 * everything. UTF-16 units.
 */
const MAX_ANSWER = 600;
const MAX_PROMPT = 300;

const LABEL = new RegExp(Object.values(LABELS).map(escaped).join("|"), "g");
const TOOLS = new RegExp(`(?:^|\n)${escaped(LABELS.tools)}[^\n]*`, "g");
const CHANGING: ReadonlySet<string> = new Set(CHANGING_TOOLS);
const FIRST_ARGUMENT = /\(([^,)]+)/;

/** Returns what a turn says on the matter of the query that found it; `words` are those of the query, lower-case. */
export function statementOf({ candidate, turn, passage }: Scored, words: readonly string[]): Statement {
  const said = saidIn(turn) ?? "";
  return {
    prompt: (textOf(turn, "prompt") ?? "").slice(0, MAX_PROMPT),
    answer: said.length <= MAX_ANSWER ? said : nearest(passage, words),
    distance: candidate.plainDistance ?? candidate.distance,
    files: changedFiles(turn),
    sessionId: turn.sessionId,
  };
}

/** Returns the files that a turn changed, as often as it changed them. */
export function changedFiles({ toolSummary }: Pick<Scored["turn"], "toolSummary">): string[] {
  const changes = toolSummary.filter((tool) => CHANGING.has(tool.slice(0, tool.indexOf("("))));
  return changes.flatMap((tool) => FIRST_ARGUMENT.exec(tool)?.[1] ?? []);
}

function nearest(passage: string, words: readonly string[]): string {
  const text = passage.replace(TOOLS, "").replace(LABEL, "");
  return passageOf({ text, parts: [] }, null, words, MAX_ANSWER);
}

function escaped(text: string): string {
  return text.replace(/[[\]]/g, "\\$&");
}

import { CHANGING_TOOLS } from "../../constants.ts";
import { saidIn, textOf } from "../../turn/parts.ts";
import { LABELS } from "../../turn/text.ts";
import type { Scored } from "../fusion.ts";
import type { Statement } from "./features.ts";

/** Of longer turns only the chunks that the query found are compared, and only the start of a prompt. UTF-16 units. */
const MAX_ANSWER = 1_600;
const MAX_PROMPT = 600;

const LABEL = new RegExp(Object.values(LABELS).map(escaped).join("|"), "g");
const TOOLS = new RegExp(`(?:^|\n)${escaped(LABELS.tools)}[^\n]*`, "g");
const CHANGED = new RegExp(`^(?:${CHANGING_TOOLS.join("|")})\\(([^,)]+)`);

/** Returns what a turn says on the matter of the query that found it. */
export function statementOf({ candidate, turn, passage }: Scored): Statement {
  const said = saidIn(turn) ?? "";
  return {
    prompt: (textOf(turn, "prompt") ?? "").slice(0, MAX_PROMPT),
    answer: said.length <= MAX_ANSWER ? said : passage.replace(TOOLS, "").replace(LABEL, ""),
    distance: candidate.plainDistance ?? candidate.distance,
    files: turn.toolSummary.flatMap((tool) => CHANGED.exec(tool)?.[1] ?? []),
    sessionId: turn.sessionId,
  };
}

function escaped(text: string): string {
  return text.replace(/[[\]]/g, "\\$&");
}

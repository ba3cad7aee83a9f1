import { withoutForward } from "../../../turn/cut.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { ForgetPlan } from "../../contract/types/forget.ts";
import { decodeParts } from "../../shared/encoded-parts.ts";
import type { Connection } from "../connection/connection.ts";
import { eachTurn } from "../turns/texts.ts";

/** Of more turns than these nobody asks which others quote them. */
const MAX_TURNS = 100;
/** A shorter line says too little, and one that stands in more turns is said of anything. */
const LINE = { minChars: 40, maxTurns: 10 } as const;
/** What stands before a line that is quoted, or an item of a list. */
const MARK = /^[\s>*-]+/;

/** Returns the turns that stay although they say a whole line of what a plan removes, in order. */
export function quotingTurns(connection: Connection, { turnIds, cutTurnIds, needles }: ForgetPlan): number[] {
  if (turnIds.length === 0 || turnIds.length > MAX_TURNS || needles.length > 0) return [];
  const gone = new Set(turnIds);
  const said = new Map<string, Set<number>>();
  for (const { turn } of texts(connection, "t.id IN (SELECT value FROM json_each(?))", turnIds))
    for (const line of linesOf(turn)) said.set(line, new Set());
  if (said.size === 0) return [];
  for (const { id, turn } of texts(connection, "t.id NOT IN (SELECT value FROM json_each(?))", [...gone]))
    for (const line of linesOf(turn)) said.get(line)?.add(id);
  const quoting = [...said.values()].filter(({ size }) => size <= LINE.maxTurns).flatMap((ids) => [...ids]);
  return [...new Set(quoting)].filter((id) => !cutTurnIds.includes(id)).toSorted((a, b) => a - b);
}

function* texts(connection: Connection, where: string, ids: readonly number[]) {
  const rows = eachTurn(connection, { where, params: [JSON.stringify(ids)] });
  for (const { id, text, parts } of rows) yield { id, turn: { text, parts: decodeParts(parts) } };
}

/** What a turn says in lines; the next prompt is that of another turn. */
function linesOf(turn: TurnText): string[] {
  const { text, parts } = withoutForward(turn);
  return parts
    .filter(({ kind }) => kind !== "tools" && kind !== "errors")
    .flatMap(({ start, end }) => text.slice(start, end).split("\n"))
    .map((line) => line.replace(MARK, "").trim())
    .filter((line) => line.length >= LINE.minChars);
}

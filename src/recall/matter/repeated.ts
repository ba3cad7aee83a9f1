import type { StoredTurn } from "../../store/stored.ts";
import { folded } from "../../text/fold.ts";
import { quotedFrom } from "../worth/heard.ts";
import { rareWords, sharedRarity } from "../worth/occasion.ts";

/** A call that reads the memory: a command line, or a tool of the MCP server. */
const ASKS =
  /\bmementor["']?\s{1,20}(?:-\S{1,80}\s{1,20}){0,8}(?:recall|search|query|show|recent|told|files|turns|related)\b|\bmcp__\w{0,80}mementor\w{0,80}__|^mementor[._/](?:search|show|recent|sessions|file_history)/i;
/** A statement with this share of its rare words in an earlier turn says nothing that is not there. */
const REPEATED = 0.7;
const NUMBER = /\d[\d.,]*/g;

/** Whether an agent asked the memory in a turn. */
export function asksMemory({ toolSummary }: Pick<StoredTurn, "toolSummary">): boolean {
  return toolSummary.some((call) => ASKS.test(call));
}

/** Whether a statement says nothing beyond what an earlier turn says, in the same words or in others. */
export function restates(statement: string, source: Pick<StoredTurn, "text">): boolean {
  if (quotedFrom(source.text)(statement)) return true;
  const lower = folded(source.text);
  const numbers = statement.match(NUMBER) ?? [];
  return (
    numbers.every((number) => lower.includes(number.replace(/[.,]$/, ""))) &&
    sharedRarity(rareWords(statement), lower) >= REPEATED
  );
}

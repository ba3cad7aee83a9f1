import type { StoredTurn } from "../../store/stored.ts";
import { folded } from "../../text/fold.ts";
import { compareTimes } from "../../text/when.ts";
import { splitSentences } from "../../turn/sentences.ts";
import { isAsked } from "../../turn/text.ts";
import { countWords } from "../classify.ts";
import { rareWords, sharedRarity } from "../rare-words.ts";
import { coveredShare, type SoughtWords } from "../statement/features.ts";
import { quotationTest } from "../worth/heard.ts";
import { numbersIn } from "./alike.ts";
import type { Conversation } from "./conversation.ts";
import { saysChange } from "./said.ts";

/** A call that reads the memory: a command line, or a tool of the MCP server. */
const ASKS =
  /\bmementor["']?\s{1,20}(?:-\S{1,80}\s{1,20}){0,8}(?:recall|search|query|show|recent|told|files|turns|related)\b|\bmcp__\w{0,80}mementor\w{0,80}__|^mementor[._/](?:search|show|recent|sessions|file_history)/i;
/**
 * Shares of a sentence's rare words in an earlier turn: from the first on it surely repeats the turn; below the second it cannot.
 */
const REPEATED = { surely: 0.7, hardly: 0.4 } as const;
/** Minimum words of a relevant sentence, and its minimum share of the sought words. */
const ON_MATTER = { words: 5, sought: 0.2 } as const;
/** Additional share of the sought words, over the repeated turn, from which a turn has something new. */
const ADDS = 0.25;
/** The boundary between a sentence's repetition and its own conclusion. */
const CLAUSE = /[,;:] /;

/**
 * Returns the turns of a conversation in which an agent repeats an earlier session after asking the memory, each with the
 * repeated turns.
 */
export function findRepeats(
  { found, turns, around }: Conversation,
  sources: readonly StoredTurn[],
  sought: SoughtWords,
): Map<number, number[]> {
  const asked = around.findIndex(asksMemory);
  const [first] = around;
  if (asked < 0 || first === undefined) return new Map();
  const earlier = sources.filter(
    ({ sessionId, createdAt }) =>
      sessionId !== found.sessionId && compareTimes(createdAt, first.createdAt) < 0,
  );
  const since = new Set(around.slice(asked).map(({ turnId }) => turnId));
  const repeats = turns
    .filter(({ turnId }) => since.has(turnId))
    .map((turn) => [turn.turnId, sourcesOf(turn, earlier, sought)] as const);
  return new Map(repeats.filter(([, sources]) => sources.length > 0));
}

/** Tells whether an agent asked the memory in a turn. */
function asksMemory({ toolSummary }: Pick<StoredTurn, "toolSummary">): boolean {
  return toolSummary.some((call) => ASKS.test(call));
}

/** Returns the earlier turns from which an agent's turn repeats a clause, and that contain as much of the sought words. */
function sourcesOf(turn: StoredTurn, earlier: readonly StoredTurn[], sought: SoughtWords): number[] {
  const sentences = splitSentences(turn).filter(({ kind }) => kind !== "forward" && kind !== "thinking");
  const said = sentences.filter(({ kind }) => !isAsked(kind)).map(({ text }) => text);
  if (said.some(saysChange)) return [];
  const onMatter = said
    .flatMap((text) => [text, ...text.split(CLAUSE)])
    .filter((text) => countWords(text) >= ON_MATTER.words && coveredShare(text, sought) >= ON_MATTER.sought);
  const covered = coveredShare(sentences.map(({ text }) => text).join("\n"), sought);
  return earlier
    .filter(({ text }) => covered - coveredShare(text, sought) < ADDS)
    .filter((source) => onMatter.some((text) => restates(text, source.text)))
    .map(({ turnId }) => turnId);
}

/** Tells whether a sentence adds nothing to an earlier turn, in the same words or in others. */
function restates(sentence: string, source: string): boolean {
  const share = sharedRarity(rareWords(sentence), folded(source));
  if (share < REPEATED.hardly || numbersIn(sentence).difference(numbersIn(source)).size > 0) return false;
  return share >= REPEATED.surely || quotationTest(source)(sentence);
}

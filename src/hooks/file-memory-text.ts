import type { RunningTurn } from "../agents/running.ts";
import type { PastStatement } from "../recall/file-past.ts";
import { rareWords } from "../recall/rare-words.ts";
import {
  type AgentText,
  joinText,
  named,
  renderFramed,
  showCommand,
  tell,
  textOfRow,
} from "../recall/telling/agent-text.ts";
import { heldWithWhom, ownerLabel } from "../recall/telling/origin.ts";
import { speakerLabel } from "../recall/telling/speaker.ts";
import { wordForm } from "../recall/word-form.ts";
import type { StoredTurn } from "../store/stored.ts";
import { truncateGraphemes } from "../text/cut.ts";
import { keywordTerms } from "../text/keywords.ts";
import { onOneLine } from "../text/lines.ts";
import { renderDate } from "../text/when.ts";
import type { WordsKind } from "../turn/text.ts";

/** Notice for texts that quote other people's turns. */
const OTHERS = tell`What names its author or where it was imported from is not the user's word.`;

/** Renders what turns say about a file, one line for each; null when they say nothing or it does not fit. */
export function renderFileMemory(
  path: string,
  statements: readonly PastStatement[],
  { budget, program }: { budget: number; program?: string },
): AgentText | null {
  const lines = statements.map((quote) => turnLine(quote.turn, (say) => renderQuote(quote, say)));
  const notice = statements.every(({ turn }) => ownerLabel(turn) === null) ? tell`` : tell` ${OTHERS}`;
  const heading = tell`Said earlier where ${named(onOneLine(path))} was worked on (\`${showCommand(program)} <turn>\` prints a whole turn):${notice}`;
  return renderFramed(heading, lines, budget);
}

/** Maximum length of a sentence, in grapheme clusters. */
const MAX_GRAPHEMES = 330;

/** A sentence of a turn. */
interface QuotedSentence {
  kind: WordsKind;
  text: string;
  turn: StoredTurn;
}

/** Renders a sentence with its speaker, `Claude: "…"`; `say` is that of its turn. */
function renderQuote({ kind, text, turn }: QuotedSentence, say: (words: string) => AgentText): AgentText {
  const speaker = speakerLabel({ kind, text, turn });
  return tell`${named(speaker)}: "${say(truncateGraphemes(onOneLine(text), MAX_GRAPHEMES))}"`;
}

/** Renders a line about a turn: its date, its author or origin if not from here, the words, and its number. */
function turnLine(turn: StoredTurn, words: (say: (words: string) => AgentText) => AgentText): AgentText {
  return textOfRow(turn, ({ say, whose }) => {
    const facts = [named(renderDate(turn.createdAt)), ...heldOf(turn), ...whose(), words(say)];
    return tell`- ${joinText(facts, ", ")} (turn ${turn.turnId})`;
  });
}

/** Returns the agent of a turn, unless it is the usual one. */
function heldOf(turn: StoredTurn): AgentText[] {
  const held = heldWithWhom(turn);
  return held === null ? [] : [named(onOneLine(held))];
}

/** The agent's current work when it opens a file. */
export interface RunningMatter extends RunningTurn {
  /** The text that it is about to change or write; empty for a read. */
  edited: string;
}

/** Weight of a word by its source: the prompt, the agent's words before and after it, or the edit. */
const WEIGHT = { prompt: 1, before: 0.5, said: 0.6, edited: 0.6 } as const;
/** Maximum words to look for, because each is searched for in every turn. */
const MAX_WORDS = 80;
const WORDS = { prompt: 60, before: 30, said: 50, edited: 50 } as const;
/** A prompt with fewer rare words is taken as a reply, so the agent's words before it count, too. */
const SHORT_PROMPT_WORDS = 6;
/** Added to the number of turns, so that no word is common in a memory of a few turns. */
const SMOOTHING = 4;

/**
 * Returns the words that the running turn is about, with their weight in nats: rare in developers' texts, and rare among
 * the turns that may be told. Words of the file's path do not count.
 */
export function matterWords(
  matter: RunningMatter,
  path: string,
  texts: readonly string[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const prompt = rareWords(matter.prompt, WORDS.prompt);
  const add = (words: ReadonlyMap<string, number>, share: number) => {
    for (const [form, nats] of words)
      weights.set(form, Math.max(weights.get(form) ?? 0, share * Math.min(nats, MAX_NATS)));
  };
  add(prompt, WEIGHT.prompt);
  if (prompt.size < SHORT_PROMPT_WORDS) add(rareWords(matter.before, WORDS.before), WEIGHT.before);
  add(rareWords(matter.said, WORDS.said), WEIGHT.said);
  add(rareWords(matter.edited, WORDS.edited), WEIGHT.edited);
  for (const term of keywordTerms(path, WORDS.prompt)) weights.delete(wordForm(term));
  const rarest = [...weights].sort(([, a], [, b]) => b - a).slice(0, MAX_WORDS);
  const rarities = rarest.map(([form, weight]): [string, number] => {
    const held = texts.filter((text) => text.includes(form)).length;
    return [form, weight * (1 - held / (texts.length + SMOOTHING)) - COMMON_NATS];
  });
  return new Map(rarities.filter(([form, rarity]) => form.length >= 3 && rarity >= LEAST_NATS));
}

const MAX_NATS = 6;
/** Rarity of words in any text about code, such as "issue" or "move", which count for nothing. */
const COMMON_NATS = 1;
const LEAST_NATS = 0.4;

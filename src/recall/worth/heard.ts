import { folded } from "../../text/fold.ts";
import { wordsInOrder } from "../../text/keywords.ts";

/** Length of the compared word sequences. */
const IN_A_ROW = 3;
/** Minimum share and number of a sentence's word sequences that were heard. Shorter sentences may be equal by chance. */
const HEARD = { share: 0.6, rows: 3 } as const;
/** Maximum characters of a text to compare, because pasted text may be long. */
const LONGEST = 20_000;
/** Separators between two sentences of a statement. */
const BETWEEN = / … |; |(?<=[.!?。！？]) /;
/** Words that change a quotation, and numbers. */
const NEWS =
  /^(?:but|however|though|although|yet|no|not|never|longer|anymore|now|instead|rather|only|except|unless|until|since|wrong|false|old|outdated|changed|replaced|removed|fixed|(?:is|are|was|were|do|does|did|has|have|wo|ca|should|must|could|would)n|[^\d\n]*\d.*)$/;

/**
 * Returns a test for whether a statement repeats words in the agent's context: a plan that is made in one session and carried out
 * in another is already in the prompt. One repeated sentence is enough: of 14 such statements that readers judged, none helped by
 * its other sentences.
 */
export function repetitionTest(texts: readonly string[]): (statement: string) => boolean {
  const isHeard = sentenceHeardIn(texts);
  return (statement) => statement.split(BETWEEN).some(isHeard);
}

/** Returns a test for whether a statement adds nothing to a text: each of its sentences is there, without a "but". */
export function quotationTest(text: string): (statement: string) => boolean {
  const isHeard = sentenceHeardIn([text]);
  const known = new Set(wordsInOrder(folded(text)));
  const isNews = (word: string) => !known.has(word) && NEWS.test(word);
  return (statement) =>
    statement.split(BETWEEN).every(isHeard) && !wordsInOrder(folded(statement)).some(isNews);
}

function sentenceHeardIn(texts: readonly string[]): (sentence: string) => boolean {
  const heard = new Set(texts.flatMap((text) => rowsOf(text.slice(0, LONGEST))));
  return (sentence) => {
    const rows = rowsOf(sentence);
    return (
      rows.length >= HEARD.rows && rows.filter((row) => heard.has(row)).length >= HEARD.share * rows.length
    );
  };
}

function rowsOf(text: string): string[] {
  const words = wordsInOrder(folded(text));
  return words.slice(IN_A_ROW - 1).map((_, at) => words.slice(at, at + IN_A_ROW).join(" "));
}

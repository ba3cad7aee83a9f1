import { folded } from "../../text/fold.ts";
import { wordsInOrder } from "../../text/keywords.ts";

/** Words in a row that are compared. */
const IN_A_ROW = 3;
/** A sentence is known if this share of its rows of words was heard. Shorter ones may be alike by chance. */
const HEARD = { share: 0.6, rows: 3 } as const;
/** Characters of a text that are compared: what somebody pastes may be long. */
const LONGEST = 20_000;
/** What stands between two sentences of a statement. */
const BETWEEN = / … |; |(?<=[.!?。！？]) /;
/** Words that change what is quoted, and numbers. */
const NEWS =
  /^(?:but|however|though|although|yet|no|not|never|longer|anymore|now|instead|rather|only|except|unless|until|since|wrong|false|old|outdated|changed|replaced|removed|fixed|(?:is|are|was|were|do|does|did|has|have|wo|ca|should|must|could|would)n|[^\d\n]*\d.*)$/;

/**
 * Returns what tells whether a statement repeats what the agent has before it: a plan that was made in one session and is
 * carried out in another stands in the prompt already. One sentence is enough: of 14 such statements that readers judged,
 * none helped by what else it said.
 */
export function heardIn(texts: readonly string[]): (statement: string) => boolean {
  const isHeard = sentenceHeardIn(texts);
  return (statement) => statement.split(BETWEEN).some(isHeard);
}

/** Returns what tells whether a statement says nothing beyond a text: each of its sentences stands there, without a "but". */
export function quotedFrom(text: string): (statement: string) => boolean {
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

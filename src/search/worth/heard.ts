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

/**
 * Returns what tells whether a statement repeats what the agent has before it: a plan that was made in one session and is
 * carried out in another stands in the prompt already. One sentence is enough: of 14 such statements that readers judged,
 * none helped by what else it said.
 */
export function heardIn(texts: readonly string[]): (statement: string) => boolean {
  const heard = new Set(texts.flatMap((text) => rowsOf(text.slice(0, LONGEST))));
  const isHeard = (sentence: string) => {
    const rows = rowsOf(sentence);
    return (
      rows.length >= HEARD.rows && rows.filter((row) => heard.has(row)).length >= HEARD.share * rows.length
    );
  };
  return (statement) => statement.split(BETWEEN).some(isHeard);
}

function rowsOf(text: string): string[] {
  const words = wordsInOrder(folded(text));
  return words.slice(IN_A_ROW - 1).map((_, at) => words.slice(at, at + IN_A_ROW).join(" "));
}

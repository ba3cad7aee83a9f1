const SENTENCE = /[^\s](?:[^.!?。！？\n]|[.!?](?=\S))*(?:[.!?。！？]+|(?=\n)|$)/g;
const LIST_MARK = /^(?:[-*>]|\d+\.)\s+/;

/** Words that mark a decision. */
export const DECISION =
  /\b(?:decid\w*|decision|chose|choose|chosen|agreed|go(?:ing)? with|went with|settled on|instead of|rather than|because|on purpose)\b/i;
/** Words that mark a guess, which is no decision. */
export const GUESS = /^(?:perhaps|maybe|probably|possibly|might)\b|\?$/i;

/** Returns the sentences of a text in order, without list marks. */
export function sentencesOf(text: string): string[] {
  return (text.match(SENTENCE) ?? []).map(withoutMark);
}

/** Returns a sentence without the mark of the list that it stands in. */
export function withoutMark(sentence: string): string {
  return sentence.trim().replace(LIST_MARK, "");
}

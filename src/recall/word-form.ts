/** Removes the ending of a word, so that its other forms contain the result: "test" for "testing" is in "tested" and "tests". */
export function wordForm(word: string): string {
  return word.length > 5 ? word.replace(/(?:ings?|ed|e?s|ly|ions?)$/, "") : word.replace(/s$/, "");
}

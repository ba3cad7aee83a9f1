/**
 * Returns a word without its ending, so that its other forms contain it: "test" for "testing" is in "tested" and
 * "tests".
 */
export function wordForm(word: string): string {
  return word.length > 5 ? word.replace(/(?:ings?|ed|e?s|ly|ions?)$/, "") : word.replace(/s$/, "");
}

/** Returns a word without its ending, enough to meet its other forms: "tested" and "tests" for "testing". */
export function wordForm(word: string): string {
  return word.length > 5 ? word.replace(/(?:ings?|ed|e?s|ly|ions?)$/, "") : word.replace(/s$/, "");
}

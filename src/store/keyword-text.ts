/** Returns what the keyword index holds for a text. */
export function keywordText(text: string): string {
  return text;
}

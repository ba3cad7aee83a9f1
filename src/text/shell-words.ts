/** Quotes a word for sh and its kind, if it needs that. */
export function shWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a word for PowerShell. It takes typographic quotes for straight ones. */
export function powershellWord(word: string): string {
  return `'${word.replaceAll(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}

/** Renders the start of a command line for a memory: `mementor`, or `mementor -C ../api`. */
export function programFor(memoryOptions: readonly string[]): string {
  return ["mementor", ...memoryOptions].map(shWord).join(" ");
}

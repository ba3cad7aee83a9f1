/** Quotes a word for a POSIX shell, if it needs that. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Renders the start of a command line for a memory: `mementor`, or `mementor -C ../api`. */
export function programFor(named: readonly string[]): string {
  return ["mementor", ...named].map(shellWord).join(" ");
}

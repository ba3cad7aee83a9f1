/** Two letters, or one of a script in which a letter can be a word. */
const MATTER = /\p{L}[\s\S]*\p{L}|[^\P{L}\p{ASCII}]/u;

/** Whether a text can be a title: a choice or an exit such as "8" or "q" names nothing. */
export function namesMatter(text: string): boolean {
  return MATTER.test(text);
}

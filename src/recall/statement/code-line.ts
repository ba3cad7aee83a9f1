/** A comment, or a line of a file's head. */
const COMMENT = /^(?:\/\/|\/\*|\*\/|#include\b|#!)/;
/** What stands in a line of code, and hardly ever in a sentence: an assignment, a comparison, a call, a block. */
const SIGN = /:=|=>|->|[!=]==?|&&|\|\||\s=\s|[\w\])]\.\w+\(|^\w+\(|\)\s*;?$|[;{}]$|^[})\]]/;
const LITERAL = /"(?:[^"\\]|\\.)*"|'[^'\s]*'/g;
const KEYWORD =
  /^(?:return|func|function|var|const|let|def|nil|null|err|range|public|private|static|void|int)$/;
const WORD = /^[("'`*_]*([\p{L}][\p{L}'’-]{0,60})[.,:!?)"'`*_]*$/u;
/** A line with signs of code has a smaller share of plain words than this if it is code. */
const WORDS_OF_PROSE = 0.65;

/** Whether a line that stands in no fence is code all the same, as pasted code is: it has signs of code, and hardly words. */
export function isCodeLine(line: string): boolean {
  const text = line.trim();
  if (COMMENT.test(text)) return true;
  if (!SIGN.test(text)) return false;
  const tokens = text.replace(LITERAL, '""').split(/\s+/);
  const words = tokens.filter((token) => {
    const word = WORD.exec(token)?.[1];
    return word !== undefined && !KEYWORD.test(word);
  });
  return words.length / tokens.length < WORDS_OF_PROSE;
}

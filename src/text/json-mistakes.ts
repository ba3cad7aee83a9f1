import { type ParseError, printParseErrorCode } from "jsonc-parser";

/** Descriptions of errors by their names in jsonc-parser. */
const MISTAKES: Readonly<Record<string, string>> = {
  PropertyNameExpected: "a name in quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: 'a ":" is missing',
  CommaExpected: 'a "," is missing',
  CloseBraceExpected: 'a "}" is missing',
  CloseBracketExpected: 'a "]" is missing',
  EndOfFileExpected: "there is text after the end",
  InvalidSymbol: "there is a word without quotes",
  InvalidNumberFormat: "a number is not valid",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfComment: 'a comment has no "*/"',
  UnexpectedEndOfString: "a text has no closing quote",
  UnexpectedEndOfNumber: "a number is not complete",
  InvalidUnicode: 'a "\\u" needs four hexadecimal digits',
  InvalidEscapeCharacter: 'there is no such escape with "\\"',
  InvalidCharacter: "a character is not allowed here",
};

/** Describes the first error of jsonc-parser in words: `a "}" is missing in line 2, column 1`. */
export function jsonMistake(text: string, { error, offset }: ParseError): string {
  const before = text.slice(0, offset).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  return `${MISTAKES[printParseErrorCode(error)] ?? "it is not valid JSON"} in ${place}`;
}

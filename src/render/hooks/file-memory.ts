import type { FileFailure } from "../../project/file-failure.ts";
import type { FilePast } from "../../project/file-past.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import { originOf } from "../origin.ts";
import { renderInjected, SHOW_COMMAND } from "./injected.ts";
import { renderQuote, turnLine } from "./quote.ts";

/** Maximum length of an error, in grapheme clusters. */
const ERROR_GRAPHEMES = 160;
/** Said where somebody else's turns are quoted. */
const OTHERS = "What names its author or where it was imported from is not the user's word.";

/** Renders what turns say about a file, one line for each; null when they say nothing or it does not fit. */
export function renderFileMemory(
  path: string,
  { statements, failure }: FilePast,
  budget: number,
): string | null {
  const lines = [
    ...statements.map(({ turn, kind, text }) => turnLine(turn, renderQuote(kind, text, turn))),
    ...(failure ? [failureLine(failure)] : []),
  ];
  const quoted = [
    ...statements.map(({ turn }) => turn),
    ...(failure ? [failure.turn, failure.cure.turn] : []),
  ];
  const notice = quoted.every((turn) => originOf(turn) === null) ? "" : ` ${OTHERS}`;
  const heading = `Said earlier where ${onOneLine(path)} was worked on (\`${SHOW_COMMAND} <turn>\` prints a whole turn):${notice}`;
  return renderInjected(heading, lines, budget);
}

function failureLine({ turn, error, cure }: FileFailure): string {
  const what = truncateGraphemes(onOneLine(error), ERROR_GRAPHEMES);
  return turnLine(
    turn,
    `failed: "${what}"; mended${cure.turn === turn ? "" : ` in turn ${cure.turn.turnId}`}, ${renderQuote(cure.kind, cure.text, cure.turn)}`,
  );
}

import type { FileFailure, FilePast } from "../recall/file-past.ts";
import {
  type AgentText,
  joinText,
  named,
  renderFramed,
  showCommand,
  tell,
  textOfRow,
} from "../recall/telling/agent-text.ts";
import { heldWithWhom, originOf } from "../recall/telling/origin.ts";
import { speakerOf } from "../recall/telling/speaker.ts";
import type { StoredTurn } from "../store/stored.ts";
import { truncateGraphemes } from "../text/cut.ts";
import { onOneLine } from "../text/one-line.ts";
import { renderDate } from "../text/when.ts";
import type { PartKind } from "../turn/text.ts";

/** Maximum length of an error, in grapheme clusters. */
const ERROR_GRAPHEMES = 160;
/** Said where somebody else's turns are quoted. */
const OTHERS = tell`What names its author or where it was imported from is not the user's word.`;

/** Renders what turns say about a file, one line for each; null when they say nothing or it does not fit. */
export function renderFileMemory(
  path: string,
  { statements, failure }: FilePast,
  { budget, program }: { budget: number; program?: string },
): AgentText | null {
  const lines = [
    ...statements.map((quote) => turnLine(quote.turn, (say) => renderQuote(quote, say))),
    ...(failure ? [failureLine(failure)] : []),
  ];
  const quoted = [
    ...statements.map(({ turn }) => turn),
    ...(failure ? [failure.turn, failure.cure.turn] : []),
  ];
  const notice = quoted.every((turn) => originOf(turn) === null) ? tell`` : tell` ${OTHERS}`;
  const heading = tell`Said earlier where ${named(onOneLine(path))} was worked on (\`${showCommand(program)} <turn>\` prints a whole turn):${notice}`;
  return renderFramed(heading, lines, budget);
}

function failureLine({ turn, error, cure }: FileFailure): AgentText {
  const what = truncateGraphemes(onOneLine(error), ERROR_GRAPHEMES);
  return turnLine(turn, (say) => {
    const isSame = cure.turn.author === turn.author && cure.turn.foreign === turn.foreign;
    const cured = isSame
      ? renderQuote(cure, say)
      : textOfRow(cure.turn, ({ say: sayCure }) => renderQuote(cure, sayCure));
    const place = cure.turn === turn ? tell`` : tell` in turn ${cure.turn.turnId}`;
    return tell`failed: "${say(what)}"; mended${place}, ${cured}`;
  });
}

/** Maximum length of a sentence, in grapheme clusters. */
const MAX_GRAPHEMES = 330;

/** A sentence of a turn. */
interface QuotedSentence {
  kind: PartKind;
  text: string;
  turn: StoredTurn;
}

/** Renders a sentence with its speaker, `Claude: "…"`; `say` is that of its turn. */
function renderQuote({ kind, text, turn }: QuotedSentence, say: (words: string) => AgentText): AgentText {
  const speaker = speakerOf({ kind, text, turn });
  return tell`${named(speaker)}: "${say(truncateGraphemes(onOneLine(text), MAX_GRAPHEMES))}"`;
}

/** A line about a turn: its date, whose it is where it was not made here, the words, its number. */
function turnLine(turn: StoredTurn, words: (say: (words: string) => AgentText) => AgentText): AgentText {
  return textOfRow(turn, ({ say, whose }) => {
    const facts = [named(renderDate(turn.createdAt)), ...heldOf(turn), ...whose(), words(say)];
    return tell`- ${joinText(facts, ", ")} (turn ${turn.turnId})`;
  });
}

/** With which agent a turn was held, where that is not the usual one. */
function heldOf(turn: StoredTurn): AgentText[] {
  const held = heldWithWhom(turn);
  return held === null ? [] : [named(onOneLine(held))];
}

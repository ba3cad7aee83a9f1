import { UNSPACED } from "../../text/scripts.ts";
import { CUES } from "../../turn/cues.ts";
import { isAsked } from "../../turn/text.ts";
import type { ScoredSentence } from "./choose.ts";

/** Cues of a sentence to keep as a rule or a fact. */
const RULES = ["reason", "decision", "rule", "firm", "norm", "conclusion", "finding"] as const;
/** Cues that exclude a fact: reports of steps, questions, guesses. */
const NO_FACTS = ["narration", "report", "checked", "guess", "question", "lead", "restated"] as const;

const MORE_IN_BETWEEN = String.raw`(?!\s+that\b)[^.!,:;—–]{0,40}`;
/** Polite openings, up to a punctuation mark, so that a name such as "Great Expectations" stays. */
const ASSENT = new RegExp(
  `^(?:(?:(?:you(?:['’]re| are)|that(?:['’]s| is)) (?:\\w+ly )?(?:right|correct|true)${MORE_IN_BETWEEN}|` +
    `(?:good|great|excellent|fair|nice) (?:question|point|catch|idea|call)${MORE_IN_BETWEEN}|` +
    "great|perfect|excellent|absolutely|exactly|sure|of course|yes|yep|ok(?:ay)?|got it|understood|sounds good|thanks|thank you" +
    ")(?:\\s*[.!,:;—–]+\\s*|$))+",
  "i",
);

/** An agent's sentence that starts with "please" asks for something already done, so it is not kept. */
const ASKS_FOR = /^please\b/i;
/** Phrases about the progress of work, which git has. */
const CHORE =
  /^(?:changes? (?:are )?(?:staged|committed|pushed)|nothing is (?:staged|committed|pushed)|commit(?:ted)?|push(?:ed)?|opened|merged|pull request|pr)\b/i;

/** Minimum words without names, paths and ids; a rule may be as short as "Never use `npm`". */
const MIN_WORDS = { rule: 2, other: 3 } as const;
const CODE = /`[^`]*`/g;
/** A path, a URL, an id or a `file:line`. */
const NAME = /(?<!\S)\S*(?:[\\/_@#\d]|\w\.\w|\w:\w)\S*/g;
/** A sentence that begins with a line in a file, which will move. */
const PLACE = /^\W?[\w./\\-]+\.\w+:\d/;
const UNSPACED_WORDS = new RegExp(`[${UNSPACED}]{4}`, "u");

/** Removes polite openings from a text; nothing is left of a purely polite one. */
function withoutAssent(text: string): string {
  const assent = ASSENT.exec(text)?.[0] ?? "";
  if (assent === "") return text;
  const rest = text.slice(assent.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Removes polite openings from each sentence, and drops purely polite ones. */
export function sentencesWithoutAssent(sentences: readonly ScoredSentence[]): ScoredSentence[] {
  return sentences.flatMap((sentence) => {
    const text = withoutAssent(sentence.text);
    return text === "" ? [] : [{ ...sentence, text }];
  });
}

/** A sentence, with the kind of part that tells who says it. */
type Spoken = Pick<ScoredSentence, "kind" | "text">;

/** Tells whether a sentence states a rule, a decision or a reason. */
export function saysRule({ kind, text }: Spoken): boolean {
  const isStep = !isAsked(kind) && (CUES.narration.test(text) || ASKS_FOR.test(text));
  const isOpen = isStep || CUES.question.test(text) || CUES.guess.test(text);
  return !isOpen && RULES.some((cue) => CUES[cue].test(text)) && isInWords(text, MIN_WORDS.rule);
}

/** Cues of a deliberate rule, decision or reason, beyond a mere word such as "only". */
const LASTING = ["reason", "decision", "firm", "norm"] as const;
/** Phrases about only the current work. */
const PASSING =
  /^\W*(?:also|same|note|flag|my|your|one caveat|(?:the )?symptoms?|(?:also )?(?:test|load|check|try|look|read|runn|wait)ing)\b|^\W*i\b(?! (?:chose|decided))/i;
/** Phrases about changes to code, which git has, also after a label such as "**Fix:**". */
const DONE =
  /^\W{0,40}(?:[^.:—–]{0,60}(?:[:—–]|\s-\s)\W{0,40})?(?:fixed|removed|deleted|changed|updated|added|swapped|renamed|moved|extracted|replaced|created|implemented|amended|refactored|switched|rewrote|rewritten|cleaned)\b|^\W*(?:the )?only change\b|\b(?:was|were) (?:failing|broken|missing)\b/i;
/** Phrases about the agent's own steps. A choice is a decision instead. */
const OWN_STEP =
  /^(?:let's|decide\b)|^.{0,80}\bI(?:['’]ve| have)? (?:(?:need|want|have|had) to\b|(?!(?:decid|settl|prefer|pick)\w*\b)\w+ed\b|put\b|made\b|wrote\b|rewrote\b|ran\b|found\b)/i;
/** Phrases about possibilities and proposals. */
const PROPOSED = /\bwould (?:be|make)\b|^(?:we|you) could\b|\bcould (?:theoretically|also)\b/i;
/** A request of the user, which is over once it is done. */
const REQUESTED =
  /^(?:no|wait|can|could|would|will|let's|please|now|also|ok(?:ay)?|yes)\b|\b(?:should|must|is|are) (?:now|also)\b|[?？]/i;
/** Phrases for a lasting wish of the user. */
const WISHED =
  /\b(?:allowed|intended|deliberat\w*|on purpose|by design)\b|\bI(?:['’]d| would)? (?:(?:really |actually |always )?prefer|rather|call|name|keep)\b/i;
/** A sentence that states that it decides nothing. */
const DECIDES_NOTHING = /\b(?:not|n['’]t|never) (?:decide|choose)/i;
/** Minimum words of an independent sentence in a file of rules. */
const LASTING_WORDS = 5;

/** Tells whether a sentence states a rule, a decision or a reason worth keeping unchanged. */
export function isLasting(sentence: Spoken): boolean {
  const { kind, text } = sentence;
  if (isOfStep(sentence)) return false;
  // A person's reason usually belongs to a request.
  const cues = kind === "prompt" ? LASTING.filter((cue) => cue !== "reason") : LASTING;
  const isWhole =
    !PASSING.test(text) && !DECIDES_NOTHING.test(text) && !CUES.lead.test(text) && !CUES.deictic.test(text);
  const isOfWork =
    CUES.report.test(text) || CUES.restated.test(text) || CUES.checked.test(text) || CUES.open.test(text);
  return (
    isWhole &&
    !isOfWork &&
    cues.some((cue) => CUES[cue].test(text)) &&
    saysRule(sentence) &&
    isInWords(text, LASTING_WORDS)
  );
}

/** Phrases by which somebody states their own choice. */
const CHOSEN =
  /\b(?:(?:we|i|user)(?:['’]ve| have)? (?:decided|chose|agreed|settled)|decided (?:to|on|against)|settled on|on purpose|by design|(?:would|will|['’]d|['’]ll) (?:take|stay with|go with))\b/i;
/** Phrases of an open choice. */
const OPEN_CHOICE = /\b(?:if|whether|unless) (?:we|you|i)\b/i;

/** Tells whether an independent sentence states its speaker's choice. */
export function isChoice(sentence: Spoken): boolean {
  const { text } = sentence;
  const isOpen = CUES.question.test(text) || CUES.guess.test(text) || CUES.lead.test(text);
  return (
    CHOSEN.test(text) &&
    !DECIDES_NOTHING.test(text) &&
    !OPEN_CHOICE.test(text) &&
    !isOpen &&
    !CUES.deictic.test(text) &&
    !isOfStep(sentence) &&
    isInWords(text)
  );
}

/** Tells whether a sentence reports a step of the agent, done, planned or possible, or a request of the user. */
export function isOfStep({ kind, text }: Spoken): boolean {
  return kind === "prompt"
    ? REQUESTED.test(text)
    : DONE.test(text) || OWN_STEP.test(text) || PROPOSED.test(text);
}

/** Tells whether the user states how something is to be. */
export function isWish(sentence: Spoken): boolean {
  const { kind, text } = sentence;
  return kind === "prompt" && WISHED.test(text) && !isOfStep(sentence) && isInWords(text, LASTING_WORDS);
}

/** Tells whether the agent states a fact. */
export function saysFact({ kind, text }: Spoken): boolean {
  const isFact =
    !isAsked(kind) &&
    !CHORE.test(text) &&
    !ASKS_FOR.test(text) &&
    !NO_FACTS.some((cue) => CUES[cue].test(text));
  return isFact && isInWords(text, MIN_WORDS.other);
}

/** Tells whether a sentence has words besides bare ids, paths and places in files. */
export function isInWords(text: string, least: number = MIN_WORDS.rule): boolean {
  if (PLACE.test(text)) return false;
  const rest = text.replace(CODE, " ").replace(NAME, " ");
  return UNSPACED_WORDS.test(rest) || (rest.match(/\p{L}+/gu) ?? []).length >= least;
}

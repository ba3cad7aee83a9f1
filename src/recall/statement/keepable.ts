import { CUES } from "../../turn/cues.ts";
import type { ScoredSentence } from "./choose.ts";

/** What a sentence that is kept as a rule or a fact says. */
const RULES = ["reason", "decision", "rule", "firm", "norm", "conclusion", "finding"] as const;
/** What reports a step, asks or guesses: no fact. */
const NO_FACTS = ["narration", "report", "checked", "guess", "question", "lead", "restated"] as const;

const MORE_IN_BETWEEN = String.raw`(?!\s+that\b)[^.!,:;—–]{0,40}`;
/** Politeness before what is said; it ends in punctuation, so that no name such as "Great Expectations" goes. */
const ASSENT = new RegExp(
  `^(?:(?:(?:you(?:['’]re| are)|that(?:['’]s| is)) (?:\\w+ly )?(?:right|correct|true)${MORE_IN_BETWEEN}|` +
    `(?:good|great|excellent|fair|nice) (?:question|point|catch|idea|call)${MORE_IN_BETWEEN}|` +
    "great|perfect|excellent|absolutely|exactly|sure|of course|yes|yep|ok(?:ay)?|got it|understood|sounds good|thanks|thank you" +
    ")(?:\\s*[.!,:;—–]+\\s*|$))+",
  "i",
);

/** A sentence of an agent that starts with "please" asks for what is done by now: it is not kept. */
const ASKS_FOR = /^please\b/i;
/** What became of the work is in git. */
const CHORE =
  /^(?:changes? (?:are )?(?:staged|committed|pushed)|nothing is (?:staged|committed|pushed)|commit(?:ted)?|push(?:ed)?|opened|merged|pull request|pr)\b/i;

/** Words that must be left without names, paths and ids: a sentence with a rule may be as short as "Never use `npm`". */
const MIN_WORDS = { rule: 2, other: 3 } as const;
const CODE = /`[^`]*`/g;
/** A path, a URL, an id or a `file:line`. */
const NAME = /(?<!\S)\S*(?:[\\/_@#\d]|\w\.\w|\w:\w)\S*/g;
/** What begins with a place in a file speaks of that line, which moves. */
const PLACE = /^\W?[\w./\\-]+\.\w+:\d/;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u;

/** Takes the politeness off the start of a text; nothing is left of one that is nothing else. */
function withoutAssent(text: string): string {
  const assent = ASSENT.exec(text)?.[0] ?? "";
  if (assent === "") return text;
  const rest = text.slice(assent.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Takes the politeness off the start of each sentence, and leaves out those that are nothing else. */
export function sentencesWithoutAssent(sentences: readonly ScoredSentence[]): ScoredSentence[] {
  return sentences.flatMap((sentence) => {
    const text = withoutAssent(sentence.text);
    return text === "" ? [] : [{ ...sentence, text }];
  });
}

/** Whether a sentence says a rule, a decision or a reason. */
export function saysRule({ kind, text }: ScoredSentence): boolean {
  const isStep = kind !== "prompt" && (CUES.narration.test(text) || ASKS_FOR.test(text));
  const isOpen = isStep || CUES.question.test(text) || CUES.guess.test(text);
  return !isOpen && RULES.some((cue) => CUES[cue].test(text)) && isInWords(text, MIN_WORDS.rule);
}

/** What says that a rule, a decision or a reason is meant, and not only a word such as "only". */
const LASTING = ["reason", "decision", "firm", "norm"] as const;
/** What only this piece of work is about, however it goes on. */
const PASSING =
  /^\W*(?:also|same|note|flag|my|your|one caveat|(?:the )?symptoms?|(?:also )?(?:test|load|check|try|look|read|runn|wait)ing)\b|^\W*i\b(?! (?:chose|decided))/i;
/** What was done to code, which git has, also behind a label such as "**Fix:**". */
const DONE =
  /^\W{0,40}(?:[^.:—–]{0,60}(?:[:—–]|\s-\s)\W{0,40})?(?:fixed|removed|deleted|changed|updated|added|swapped|renamed|moved|extracted|replaced|created|implemented|amended|refactored|switched|rewrote|rewritten|cleaned)\b|^\W*(?:the )?only change\b|\b(?:was|were) (?:failing|broken|missing)\b/i;
/** What the agent did or is about to do itself; what it chose is a decision. */
const OWN_STEP =
  /^(?:let's|decide\b)|^.{0,80}\bI(?:['’]ve| have)? (?:(?:need|want|have|had) to\b|(?!(?:decid|settl|prefer|pick)\w*\b)\w+ed\b|put\b|made\b|wrote\b|rewrote\b|ran\b|found\b)/i;
/** What could be, or would be better. */
const PROPOSED = /\bwould (?:be|make)\b|^(?:we|you) could\b|\bcould (?:theoretically|also)\b/i;
/** A request of the user, of which nothing stays when it is done. */
const REQUESTED =
  /^(?:no|wait|can|could|would|will|let's|please|now|also|ok(?:ay)?|yes)\b|\b(?:should|must|is|are) (?:now|also)\b|[?？]/i;
/** What the user wants to have so, whatever words it has. */
const WISHED =
  /\b(?:allowed|intended|deliberat\w*|on purpose|by design)\b|\bI(?:['’]d| would)? (?:(?:really |actually |always )?prefer|rather|call|name|keep)\b/i;
/** What says by the way that it settles nothing. */
const DECIDES_NOTHING = /\b(?:not|n['’]t|never) (?:decide|choose)/i;
/** Words that a sentence needs that stands for itself in a file of rules. */
const LASTING_WORDS = 5;

/** Whether a sentence says a rule, a decision or a reason that is worth keeping as it stands. */
export function isLasting(sentence: ScoredSentence): boolean {
  const { kind, text } = sentence;
  if (isOfStep(sentence)) return false;
  // A reason that a person gives is that of a request.
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

/** Somebody says that it was they who chose. */
const CHOSEN =
  /\b(?:(?:we|i|user)(?:['’]ve| have)? (?:decided|chose|agreed|settled)|decided (?:to|on|against)|settled on|on purpose|by design|(?:would|will|['’]d|['’]ll) (?:take|stay with|go with))\b/i;
/** Who has not chosen yet. */
const OPEN_CHOICE = /\b(?:if|whether|unless) (?:we|you|i)\b/i;

/** Whether somebody says, in a sentence that stands by itself, what they chose. */
export function isChoice(sentence: ScoredSentence): boolean {
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

/** Whether a sentence says what the agent did, will do or could, or what the user asked for. */
export function isOfStep({ kind, text }: ScoredSentence): boolean {
  return kind === "prompt"
    ? REQUESTED.test(text)
    : DONE.test(text) || OWN_STEP.test(text) || PROPOSED.test(text);
}

/** Whether the user says how something is to be, or is meant to be. */
export function isWish(sentence: ScoredSentence): boolean {
  const { kind, text } = sentence;
  return kind === "prompt" && WISHED.test(text) && !isOfStep(sentence) && isInWords(text, LASTING_WORDS);
}

/** Whether the agent states something as it is. */
export function saysFact({ kind, text }: ScoredSentence): boolean {
  const isFact =
    kind !== "prompt" &&
    !CHORE.test(text) &&
    !ASKS_FOR.test(text) &&
    !NO_FACTS.some((cue) => CUES[cue].test(text));
  return isFact && isInWords(text, MIN_WORDS.other);
}

/** Whether a sentence says something beside bare ids, paths and places in files. */
export function isInWords(text: string, least: number = MIN_WORDS.rule): boolean {
  if (PLACE.test(text)) return false;
  const rest = text.replace(CODE, " ").replace(NAME, " ");
  return UNSPACED.test(rest) || (rest.match(/\p{L}+/gu) ?? []).length >= least;
}

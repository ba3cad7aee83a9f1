import { choreShare } from "../../../recall/chore.ts";
import { countWords } from "../../../recall/classify.ts";
import type { SearchHit } from "../../../recall/hits.ts";
import type { Matter } from "../../../recall/matter/matter.ts";
import { rareWords, sharedRarity } from "../../../recall/rare-words.ts";
import { RANKED_CHARS } from "../../../recall/read-to-rank.ts";
import { search } from "../../../recall/search.ts";
import { isInWords } from "../../../recall/statement/keepable.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { folded } from "../../../text/fold.ts";
import { keywordTerms } from "../../../text/keywords.ts";
import { compareTimes } from "../../../text/when.ts";
import { CUES } from "../../../turn/cues.ts";
import { partText } from "../../../turn/parts.ts";
import { ownWords } from "../../../turn/pasted.ts";
import { splitSentences } from "../../../turn/sentences.ts";

/** Turns in which a ruling is looked for, the latest; questions asked at most, and of one turn; answers in which a later word is looked for. */
const LOOKED_AT = { turns: 1_000, asked: 8, ofTurn: 2, hits: 10 } as const;
/** A longer prompt is a plan, of which no sentence is asked about by itself. */
const PLAN_WORDS = 90;
/** Characters of its first statement that an answer surely shows; fewer stand as the next words of another, if they are. */
const SHOWN = { least: 61, most: 300 } as const;
/** A later prompt with this share of a ruling's rare words may rule otherwise: in its conversation, and elsewhere. */
const SAME_MATTER = { inside: 0.2, elsewhere: 0.4 } as const;

/** A question to the memory, its answer, and what the user said in it. */
export interface ProofAnswer {
  query: string;
  hit: SearchHit;
  says: string;
}

/**
 * Shows that the memory works: asks it, by words, what the user ruled in these conversations, the best question first, and
 * returns the first that it answers surely with that ruling before all else. Null where it answers none so.
 */
export async function proveRecall(store: SqliteStore, now: Date): Promise<ProofAnswer | null> {
  for (const { turn, ruling } of await candidatesIn(store)) {
    const { question: query, says } = ruling;
    const request = { query, limit: LOOKED_AT.hits, ownMayRunAt: now };
    const { hits, matters, confidence } = await search(request, { store: store.search, embed: null });
    const [hit, matter] = [hits[0], matters[0]];
    if (hit === undefined || matter === undefined || confidence !== "strong") continue;
    const isLast = !hits.some(
      (each) => isLater(each.turn, turn) && isOnMatter(each.turn, ruling, "elsewhere"),
    );
    if (isLast && hit.turn.turnId === turn.turnId && answers(matter, turn, ruling))
      return { query, hit, says };
  }
  return null;
}

/** What the user ruled in the latest turns, what shows best first. */
async function candidatesIn({ browse, search, marks }: SqliteStore): Promise<Candidate[]> {
  const hidden = await marks.hidden();
  const recent = await browse.recent(LOOKED_AT.turns, { human: true });
  const ids = recent.map(({ turnId }) => turnId).filter((id) => !hidden.has(id));
  return (await search.turns(ids, RANKED_CHARS))
    .flatMap((turn) => rulingsIn(turn).map((ruling) => ({ turn, ruling })))
    .toSorted((a, b) => b.ruling.weight - a.ruling.weight)
    .slice(0, LOOKED_AT.asked);
}

interface Candidate {
  turn: StoredTurn;
  ruling: Ruling;
}

/** The best rulings of the user's in a turn. What was pasted, and what another agent asked, is none. */
function rulingsIn(turn: StoredTurn): Ruling[] {
  const { text, role, origin, author, foreign } = turn;
  if (role !== "turn" || origin !== "human" || author !== null || foreign !== null) return [];
  const prompt = partText(turn, "prompt") ?? "";
  const isPlan = countWords(ownWords(prompt)) > PLAN_WORDS;
  if (isPlan && !prompt.includes("\nAnswer: ")) return [];
  return splitSentences({ text, parts: turn.parts.filter(({ kind }) => kind === "prompt") })
    .flatMap((sentence) => findRuling(sentence.text, isPlan) ?? [])
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, LOOKED_AT.ofTurn);
}

/** Whether an answer begins with a ruling, and nothing that was said after it rules otherwise. */
function answers({ states: [newest] }: Matter, turn: StoredTurn, ruling: Ruling): boolean {
  const [first] = newest?.said ?? [];
  if (newest === undefined || first?.kind !== "prompt" || first.turn.turnId !== turn.turnId) return false;
  const isNext = newest.said.some(({ next }) => next?.turn?.turnId === turn.turnId);
  if (isNext && first.text.length < SHOWN.least) return false;
  if (!lettersOf(first.text.slice(0, SHOWN.most)).includes(lettersOf(ruling.ruled))) return false;
  const { turns } = newest.conversation;
  const later = turns.slice(turns.findIndex(({ turnId }) => turnId === turn.turnId) + 1);
  return !later.some((each) => isOnMatter(each, ruling, "inside"));
}

function isLater(one: StoredTurn, other: StoredTurn): boolean {
  return compareTimes(one.createdAt, other.createdAt) > 0;
}

/** Whether the user speaks of what was ruled, and may rule otherwise. */
function isOnMatter(turn: StoredTurn, { question, ruled }: Ruling, where: keyof typeof SAME_MATTER): boolean {
  const words = rareWords(`${question} ${ruled}`);
  return sharedRarity(words, folded(partText(turn, "prompt") ?? "")) >= SAME_MATTER[where];
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}

/** A question to the memory, and what the user said that answers it. */
interface Ruling {
  question: string;
  /** The words that an answer must have, and these with the reason that stands beside them. */
  ruled: string;
  says: string;
  /** How well it shows what a memory is for: a choice with its reason most, a step of the work least. */
  weight: number;
}

/** Characters of a question, so that it can be typed, and of what was said, so that the answer shows all of it. */
const QUESTION = { least: 20, most: 130 } as const;
const SAYS = { least: 25, most: 200 } as const;

/**
 * Returns what a sentence of the user's rules, as a question that it answers; null where it rules nothing that lasts. Of a
 * plan only what the user answered counts.
 */
export function findRuling(sentence: string, isPlan = false): Ruling | null {
  if (sentence.includes("[redacted:")) return null;
  const ruling = answeredIn(sentence) ?? (isPlan ? null : turnedRound(sentence));
  if (ruling === null || ruling.weight <= 0) return null;
  const { length } = ruling.question;
  const isTypable = length >= QUESTION.least && length <= QUESTION.most;
  return isTypable && new Set(keywordTerms(ruling.question)).size >= LEAST_TERMS ? ruling : null;
}

/** A question of the agent with the user's answer, as the text of a turn has it. */
const ANSWERED = /^Question: (?<asked>.*)\nAnswer: (?<answer>.*)(?:\nNotes: (?<notes>.*))?$/;
/** What the agent adds to the answer that it would give. */
const RECOMMENDED = /\s{0,9}\(Recommended\)/i;
/** Asks how to go on with the work, and not how something is to be, or what only the words before it say. */
const OF_WORK =
  /\b(?:proceed|continue|skip|finding \d|branch|worktree|delete|remove)\b|\b(?:this|the) (?:change|refactoring|fix|stale)\b|\b(?:can|shall|should|may) i\b|\b(?:do|would) you\b|(?:^|[.!?] )(?:\w+ ){0,3}\w+\?$|^\w+ (?:it|this|that|they|these)\b/i;
/** What such a question takes off: it is asked only where there is nothing better. */
const STEP = 1;
/** With this share of words of version control and the like, a question is about them. */
const CHORE = 0.5;
/** A question of several sentences shows less: it takes long to read. */
const LONG = 0.3;
/** Asks what to choose. */
const CHOOSES = /\b(?:should|which|how|where)\b/i;

function answeredIn(text: string): Ruling | null {
  const { asked = "", answer = "", notes } = ANSWERED.exec(text)?.groups ?? {};
  const ruled = answer.replace(RECOMMENDED, "").trim();
  const isNoted = notes !== undefined && notes.trim() !== ruled;
  const says = isNoted ? `${ruled}. ${notes.trim()}` : ruled;
  if (!CUES.question.test(asked) || says.length > SAYS.most || !isInWords(ruled)) return null;
  const weight = 1 + Number(CHOOSES.test(asked)) / 2 + reasons(says) + Number(isNoted) - stepIn(asked);
  return { question: asked, ruled, says, weight };
}

function stepIn(question: string): number {
  const isLong = /[.!?] /.test(question);
  return (OF_WORK.test(question) || choreShare(question) >= CHORE ? STEP : 0) + (isLong ? LONG : 0);
}

/** Says why, what holds without exception, and what is meant in place of what. */
const SHOWS: readonly (readonly [sign: RegExp, weight: number])[] = [
  [CUES.reason, 1],
  [/\bas (?:we|it|they|there|the|that|you)\b|\bthat['’]s why\b/i, 1],
  [/\b(?:never|always|must|at most|at least|exactly)\b/i, 0.75],
  [/\b(?:instead|rather than|not just|not only|only|but not)\b|, not\b/i, 0.5],
];

/** The most that one sign shows, so that a text of all kinds weighs no more than one reason. */
function reasons(text: string): number {
  return Math.max(0, ...SHOWS.map(([sign, weight]) => (sign.test(text) ? weight : 0)));
}

/** Words before what is ruled. */
const OPENING =
  /^(?:(?:ok(?:ay)?|yes|yeah|no|well|also|and|but|so|agreed|nice|hmm+|actually|oh|right|please|one (?:important )?thing|important|note|remember|from now on|i (?:think|mean|guess|would say)|imo|in general|in theory)\b[,.:!]*\s+(?:that\s+)?)+/i;
/** Where a clause begins that may say a rule by itself. */
const CLAUSES = /[,;:]\s+(?:like\s+)?|\bthat\s+|\s[-–—]\s/g;
/** Where or when it holds, up to what it holds for. */
const LEAD =
  /^(?<lead>(?:in|on|at|for|when|where|if|instead of|after|before|during|with|within|until|unless)\b[^,;:.?!]{3,70}?),? (?=(?:we|it|there|the|an?|every|each|no)\b)/i;
/** How something is to be, with the word that asks for it. */
const MODAL =
  /^(?<subject>(?:[^\s,;:.?!()*]+ ){1,9}?)(?<modal>should(?:n['’]t| not| never)?|must(?:n['’]t| not| never)?|may (?:not|never|only)|can(?:not|['’]t| not| never| only)|(?:is|are) (?:never|always))\s{1,9}(?<rest>\S.*)$/i;
/** What we always or never do, or are told to. */
const CUSTOM =
  /^(?:we (?<habit>always|never|don['’]t|do not)|(?<order>always|never|don['’]t|do not) (?=(?:use|keep|put|store|save|write|read|log|print|show|send|run|call|add|remove|delete|commit|push|merge|return|throw|catch|retry|cache|load|import|export|name|rename|test|mock|check|validate|wrap|escape|round|sort|trim|expose|include|render|open|close|update|change|edit|create|build|deploy|publish|trust|assume|rely|depend|duplicate|repeat|hide|allow|accept|ask|ignore|unignore|override|format)\b)) ?(?<does>.+)$/i;
/** What is done, after why. */
const CAUSED =
  /^(?:that['’]s|which is|this is) why we (?<does>(?!\w+ed\b|did\b|do not\b|don['’]t\b|can|could|should|need|have\b|are\b).+)$/i;
/** Words of a subject that is a clause, or that stands for something said before. */
const NO_SUBJECT =
  /\b(?:i|you|he|she|me|this|that|these|those|they|something|anything|someone|which|who|what|where|when|how|if|so|because|but|think|sure|can|let|make|is|are|was|were|will|would|could|does|do|did|has|have|had|need|want|like)\b|^\W*-/i;
/** Where the matter ends: why, what else, and what is wanted in its place is the answer. */
const MATTER_ENDS =
  /[,;:.!?](?:\s|$)|\(|\s[-–—]\s|\s(?:but|because|since|so that|as (?:we|it|they|there|the|that|you)|otherwise|instead|rather than|not (?:just|only)|and|unless|until|even if|which|by default)\b/i;
/** What is added to what was there before: a request. */
const ADDED = /\b(?:also|too|now|then|rather|probably|just|more)\b\s*/i;
/** Stands for something that was said before. */
const POINTS = /\b(?:this|that|these|those|it|them|here|above|below|another)\b/i;
const UNFINISHED = /\b(?:an?|the|to|of|for|in|on|with|from|and|or|be|as|by|at|its?|our|not)$/i;
const LEAST_WORDS = 2;
/** Words that a question is found by: one of fewer finds other things, too. */
const LEAST_TERMS = 3;
/** Below this weight a sentence is a request for once, and no lasting decision: no question is made of it. */
const LASTS = 1.5;

/** The question that a sentence answers which says how something is to be, or why: its verb before its subject. */
function turnedRound(text: string): Ruling | null {
  if (text.length < SAYS.least || text.length > SAYS.most) return null;
  if (CUES.question.test(text) || CUES.guess.test(text)) return null;
  const starts = [0, ...[...text.matchAll(CLAUSES)].map(({ 0: mark, index }) => index + mark.length)];
  for (const start of starts) {
    const question = questionIn(text.slice(start));
    if (question === null) continue;
    const weight = 1 + reasons(text) - (ADDED.test(question) ? STEP : stepIn(question));
    const says = text.slice(text.lastIndexOf(". ", start) + 1).trimStart();
    return weight < LASTS ? null : { question, ruled: says, says, weight };
  }
  return null;
}

function questionIn(clause: string): string | null {
  const opened = clause.slice(OPENING.exec(clause)?.[0].length ?? 0);
  const lead = LEAD.exec(opened)?.groups?.lead ?? "";
  if (POINTS.test(lead)) return null;
  const asked = lead === "" ? whyIn(opened) : null;
  const how = asked ?? howIn(opened.slice(lead.length).replace(/^,?\s+/, ""), lead !== "");
  if (how === null) return null;
  return lead === "" ? `${capital(how)}?` : `${capital(lead)}, ${how}?`;
}

function whyIn(clause: string): string | null {
  const matter = matterIn(CAUSED.exec(clause)?.groups?.does ?? "");
  return matter && `why do we ${matter}`;
}

function howIn(clause: string, isLed: boolean): string | null {
  const { habit, order, does = "" } = CUSTOM.exec(clause)?.groups ?? {};
  const custom = habit ?? order;
  if (custom !== undefined) {
    const matter = matterIn(does);
    return matter && `should we ${/^always/i.test(custom) ? "always " : ""}${matter}`;
  }
  const { subject = "", modal = "", rest = "" } = MODAL.exec(clause)?.groups ?? {};
  const [matter, what] = [matterIn(rest), subject.trim()];
  const isPointing = /^(?:it|there)$/i.test(what) && !isLed;
  return matter === null || what === "" || NO_SUBJECT.test(what) || isPointing
    ? null
    : asking(modal.toLowerCase(), inSentence(what), matter);
}

/** The verb before its subject, without the refusal: that is the answer. */
function asking(modal: string, subject: string, matter: string): string {
  const [verb = "", how = ""] = modal
    .replace(/n['’]t$|(?<=can)(?:not|['’]t)$/, "")
    .replace("must", "should")
    .split(/\s+/);
  if (verb === "is" || verb === "are")
    return `${verb} ${subject} ${how === "never" ? "ever" : how} ${matter}`;
  return `${verb} ${subject} ${how === "only" ? "only " : ""}${matter}`;
}

/** What a sentence is about, up to its reason or what it sets against it; null where that says nothing by itself. */
function matterIn(rest: string): string | null {
  const end = rest.search(MATTER_ENDS);
  const matter = (end < 0 ? rest : rest.slice(0, end)).trim();
  const isWhole =
    matter.split(/\s+/).length >= LEAST_WORDS && !UNFINISHED.test(matter) && !POINTS.test(matter);
  return isWhole && isInWords(matter) ? matter : null;
}

/** A word that begins a sentence begins none any more; a name keeps its capital. */
function inSentence(subject: string): string {
  const [first = "", second = ""] = subject.split(" ");
  const isName = /^\p{Lu}/u.test(second) || second === "" || /.\p{Lu}/u.test(first);
  const isPlain = /^(?:the|an?|we|every|each|our|no|all|it|there)$/i.test(first);
  return isName && !isPlain ? subject : subject.charAt(0).toLowerCase() + subject.slice(1);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

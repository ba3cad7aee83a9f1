import { lazily } from "../../lazily.ts";
import { folded } from "../../text/fold.ts";
import { RENDERS } from "../../turn/address.ts";
import { assistantText, partText } from "../../turn/parts.ts";
import { findOthers, ownWords } from "../../turn/pasted.ts";
import type { TurnText } from "../../turn/text.ts";

/** The source of words that an agent passes on. */
export type ReportSource = "page" | "server" | "subagent" | "paste" | "unsure" | "message" | "file";

/** Attribution of an agent's words to others: stated explicitly, or merely said after reading them. */
export interface Reported {
  source: ReportSource;
  isSaidSo: boolean;
}

/** The parts of a turn that show the sources of its words. */
export interface SourcedTurn extends TurnText {
  toolSummary: readonly string[];
  origin: string;
}

/**
 * Calls that return strangers' words, the clearest first. Opening a pull request and querying this machine return none, and this
 * program names its own sources.
 */
const CALLS: readonly (readonly [call: RegExp, source: ReportSource])[] = [
  [
    /^Web(?:Fetch|Search)\b|^Bash\(.*\b(?:gh (?:(?:issue|pr) (?!create|merge|close|edit|ready|checkout)|api|run)|glab|jira|curl\b(?![^|;&]{0,200}(?:\s|\/\/)(?:localhost|127\.0\.0\.1)[:/"'\s)])|wget|lynx)\b/,
    "page",
  ],
  [/^Read\([^),]{0,200}\b(?:node_modules|site-packages|vendor)\/[^),]{0,200}\.(?:mdx?|rst|txt)\b/, "page"],
  [/^mcp__(?!\w*mementor)/i, "server"],
  [/^(?:Task|Agent)\b/, "subagent"],
];

/** Phrases that attribute words to somebody else. */
const SAYS =
  /\b(?:(?:the|this|that|its?|their|your|an?|one|each) (?:[\w'’-]+ ){0,3}(?:page|article|docs?|documentation|guide|readme|wiki|blog|post|site|website|vendor|issue|ticket|report|reporter|mail|e-?mail|message|thread|comment|review|reviewer|author|maintainers?|customer|subagent|agent|explorer|result|results|answer|pull request|description|log|quote|text|paste|policy|runbook|handbook|instructions?|spec|announcement|changelog)s?|it|he|she|they) (?:also )?(?:say|state|claim|recommend|suggest|ask|demand|require|report|note|mention|describe|explain|want|insist|advise|instruct|tell|warn|list|document|argue|propose|found|conclude|wrote|said|told)(?:s|es|ed|d|mended)?\b|\b(?!(?:i|we|you|user|who|what|which|that|this|code|test|tests|compiler|linter|typescript)\b)\w+ (?:says|states|claims|recommends|suggests|demands|insists|advises|warns|argues|wrote|said)\b|\baccording to\b|\bas (?:stated|described|documented|reported|quoted|the \w+ (?:says|puts))\b|\b(?:per|from) the (?:page|docs?|ticket|issue|mail|thread|report|article|review)\b|\bin (?:its|his|her|their) (?:words|own words)\b/i;
/** Phrases about the agent's own actions, thoughts and plans. "We" may mean the authors of a text that it read. */
const OWN =
  /^\W*(?:(?:done|fixed|ok(?:ay)?|also|then|now|and|so|but|however|because of that|instead|therefore)\b[,.:;! —-]*)*(?:i\b|i['’](?:ve|m|ll|d)\b|let me\b|(?:fixed|added|changed|updated|removed|renamed|moved|created|implemented|replaced|extracted|refactored|switched|committed|pushed|all (?:\d+ )?tests?|tests? pass)\b)/i;
/** Calls that return text of this machine, which most answers do not pass on. */
const READS = /^(?:Read|Grep)\(|^Bash\(.*\b(?:cat|grep|rg|head|tail|less|sed -n)\b/;
/** Introductions of content that is in, was found in or is quoted from a file, and of what the agent did. */
const OF_FILE =
  /\b(?:hits?|match(?:es)?|occurrences?|says?|reads?|contains?|quotes?|states?|lists?)\b|\.(?:mdx?|txt|rst|adoc|html?|pdf|docx?)\b/i;
const DONE = /\b(?:chang|add|updat|fix|remov|edit|creat|renam|mov|replac|wrote|written)/i;
const IN_LIST = /^\s*(?:$|[-*+•>|]|\d{1,3}[.)]\s|```)/;
/** Minimum share of a sentence's longer words in other people's text that it passes on. */
const PASSED_ON = 0.6;
const LEAST_WORDS = 3;
const TOUCHES = /^(?:Read|Edit|Write|MultiEdit|NotebookEdit)\(/;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]{3,}/gu;

/** Returns whose words an agent's sentence passes on; null for its own words. */
export function findAttribution(sentence: string, turn: SourcedTurn): Reported | null {
  return attributionsIn(turn)(sentence);
}

/** Returns a function that attributes the sentences of a turn; its prompt is read once. */
export function attributionsIn(turn: SourcedTurn): (sentence: string) => Reported | null {
  const read = lazily(() => givenIn(turn));
  return (sentence) => {
    const given = read();
    const isSaidSo = SAYS.test(sentence);
    const isOwn = OWN.test(sentence);
    const isRendered = given?.isRendered === true && !isOwn;
    // The agent's account of a task that may be the user's own is the agent's.
    const isOfGiven = given !== null && !(given.source === "unsure" && isOwn) && isFrom(sentence, given.text);
    if (given !== null && (isSaidSo || isRendered || isOfGiven))
      return { source: given.source, isSaidSo: true };
    return calledFor(sentence, turn, isSaidSo);
  };
}

/** Returns whose words a sentence passes on of what calls of the turn brought. */
function calledFor(sentence: string, turn: SourcedTurn, isSaidSo: boolean): Reported | null {
  const source = calledIn(turn);
  if (source === null)
    return readsFile(turn) && (isSaidSo || isBelowFile(sentence, turn))
      ? { source: "file", isSaidSo: true }
      : null;
  if (isSaidSo) return { source, isSaidSo };
  return OWN.test(sentence) || namesFile(sentence, turn) ? null : { source, isSaidSo };
}

/** Returns the source of other people's words in a turn; null if there are none. */
export function reportedSource(turn: SourcedTurn): ReportSource | null {
  const quoted = assistantText(turn) ?? "";
  const isQuoted = readsFile(turn) && quoted.split("\n").some(introducesFile);
  return calledIn(turn) ?? givenIn(turn)?.source ?? (isQuoted ? "file" : null);
}

function readsFile({ toolSummary }: SourcedTurn): boolean {
  return toolSummary.some((call) => READS.test(call));
}

/** Tells whether a sentence of an answer is in a list below a line about a file's content. */
function isBelowFile(sentence: string, turn: SourcedTurn): boolean {
  // The line above may be quoted, too.
  if (introducesFile(sentence.slice(0, sentence.search(/[:：]\s/) + 1))) return true;
  const said = assistantText(turn) ?? "";
  const [first = ""] = sentence.split(/(?<=[.!?])\s| … |; /, 1);
  const at = first === "" ? -1 : said.indexOf(first);
  if (at < 0) return false;
  const above = said.slice(0, at).split("\n");
  if (!IN_LIST.test(above.at(-1) ?? "")) return false;
  return introducesFile(above.findLast((line) => !IN_LIST.test(line)) ?? "");
}

function introducesFile(line: string): boolean {
  return /[:：]\**$/.test(line.trimEnd()) && OF_FILE.test(line) && !DONE.test(line);
}

function calledIn({ toolSummary }: SourcedTurn): ReportSource | null {
  return CALLS.find(([call]) => toolSummary.some((summary) => call.test(summary)))?.[1] ?? null;
}

/** Returns other people's words in the prompt: all of it, or what the user pasted or may have pasted, and whether another form of that is asked for. */
function givenIn(turn: SourcedTurn): { text: string; source: ReportSource; isRendered: boolean } | null {
  const prompt = partText(turn, "prompt");
  if (prompt === null) return null;
  if (turn.origin !== "human" && turn.origin !== "subagent")
    return { text: prompt, source: "message", isRendered: false };
  const others = findOthers(prompt);
  const source = others.some(({ by }) => by === "pasted") ? "paste" : "unsure";
  const text = others.map(({ start, end }) => prompt.slice(start, end)).join("\n");
  return text === "" ? null : { text, source, isRendered: RENDERS.test(ownWords(prompt)) };
}

function isFrom(sentence: string, given: string): boolean {
  const words = folded(sentence).match(WORD) ?? [];
  if (words.length < LEAST_WORDS) return false;
  const known = folded(given);
  return words.filter((word) => known.includes(word)).length / words.length >= PASSED_ON;
}

/** Tells whether a sentence names a file that the turn read or changed, and so is about that file. */
function namesFile(sentence: string, { toolSummary }: SourcedTurn): boolean {
  return toolSummary.some((call) => {
    if (!TOUCHES.test(call)) return false;
    const [path = ""] = call.slice(call.indexOf("(") + 1).split(/[,)]/, 1);
    const name = path.slice(path.lastIndexOf("/") + 1);
    return name.includes(".") && sentence.includes(name);
  });
}

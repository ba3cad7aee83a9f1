import { folded } from "../../text/fold.ts";
import { textOf } from "../../turn/parts.ts";
import { pastedIn } from "../../turn/pasted.ts";
import type { TurnText } from "../../turn/text.ts";

/** Where words came from that an agent passes on. */
export type Source = "page" | "server" | "subagent" | "paste" | "message";

/** What an agent says of what others said: of it in so many words, or only after it had it before it. */
export interface Reported {
  source: Source;
  isSaidSo: boolean;
}

/** What of a turn tells whose words it got. */
export interface Informed extends TurnText {
  toolSummary: readonly string[];
  origin: string;
}

/**
 * Calls that bring what strangers wrote, the plainest first; what opens a pull request or asks this machine brings none of it.
 * What this program remembers says itself whose it is.
 */
const CALLS: readonly (readonly [call: RegExp, source: Source])[] = [
  [
    /^Web(?:Fetch|Search)\b|^Bash\(.*\b(?:gh (?:(?:issue|pr) (?!create|merge|close|edit|ready|checkout)|api|run)|glab|jira|curl\b(?![^|;&]{0,200}(?:\s|\/\/)(?:localhost|127\.0\.0\.1)[:/"'\s)])|wget|lynx)\b/,
    "page",
  ],
  [/^Read\([^),]{0,200}\b(?:node_modules|site-packages|vendor)\/[^),]{0,200}\.(?:mdx?|rst|txt)\b/, "page"],
  [/^mcp__(?!\w*mementor)/i, "server"],
  [/^(?:Task|Agent)\b/, "subagent"],
];

/** Says in so many words that somebody else said it. */
const SAYS =
  /\b(?:(?:the|this|that|its?|their|your|an?|one|each) (?:[\w'’-]+ ){0,3}(?:page|article|docs?|documentation|guide|readme|wiki|blog|post|site|website|vendor|issue|ticket|report|reporter|mail|e-?mail|message|thread|comment|review|reviewer|author|maintainers?|customer|subagent|agent|explorer|result|results|answer|pull request|description|log|quote|text|paste|policy|runbook|handbook|instructions?|spec|announcement|changelog)s?|it|he|she|they) (?:also )?(?:say|state|claim|recommend|suggest|ask|demand|require|report|note|mention|describe|explain|want|insist|advise|instruct|tell|warn|list|document|argue|propose|found|conclude|wrote|said|told)(?:s|es|ed|d|mended)?\b|\b(?!(?:i|we|you|user|who|what|which|that|this|code|test|tests|compiler|linter|typescript)\b)\w+ (?:says|states|claims|recommends|suggests|demands|insists|advises|warns|argues|wrote|said)\b|\baccording to\b|\bas (?:stated|described|documented|reported|quoted|the \w+ (?:says|puts))\b|\b(?:per|from) the (?:page|docs?|ticket|issue|mail|thread|report|article|review)\b|\bin (?:its|his|her|their) (?:words|own words)\b/i;
/** Says what the agent did, thinks or will do itself. "We" may be those who wrote what it read. */
const OWN =
  /^\W*(?:(?:done|fixed|ok(?:ay)?|also|then|now|and|so|but|however|because of that|instead|therefore)\b[,.:;! —-]*)*(?:i\b|i['’](?:ve|m|ll|d)\b|let me\b|(?:fixed|added|changed|updated|removed|renamed|moved|created|implemented|replaced|extracted|refactored|switched|committed|pushed|all (?:\d+ )?tests?|tests? pass)\b)/i;
/** A sentence with this share of its longer words in what others said passes that on. */
const PASSED_ON = 0.6;
const LEAST_WORDS = 3;
const TOUCHES = /^(?:Read|Edit|Write|MultiEdit|NotebookEdit)\(/;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]{3,}/gu;

/** Whose words a sentence of the agent passes on; null for what is its own. */
export function reportedIn(sentence: string, turn: Informed): Reported | null {
  const isSaidSo = SAYS.test(sentence);
  const given = givenIn(turn);
  if (given !== null && (isSaidSo || isFrom(sentence, given.text)))
    return { source: given.source, isSaidSo: true };
  const source = calledIn(turn);
  if (source === null) return null;
  if (isSaidSo) return { source, isSaidSo };
  return OWN.test(sentence) || namesFile(sentence, turn) ? null : { source, isSaidSo };
}

/** From where a turn got what others wrote; null where it got nothing of that. */
export function sourceOf(turn: Informed): Source | null {
  return calledIn(turn) ?? givenIn(turn)?.source ?? null;
}

function calledIn({ toolSummary }: Informed): Source | null {
  return CALLS.find(([call]) => toolSummary.some((summary) => call.test(summary)))?.[1] ?? null;
}

/** What others wrote in the prompt: all of it, or what the user pasted. */
function givenIn(turn: Informed): { text: string; source: Source } | null {
  const prompt = textOf(turn, "prompt");
  if (prompt === null) return null;
  if (turn.origin !== "human" && turn.origin !== "subagent") return { text: prompt, source: "message" };
  const pasted = pastedIn(prompt).map(({ start, end }) => prompt.slice(start, end));
  return pasted.length === 0 ? null : { text: pasted.join("\n"), source: "paste" };
}

function isFrom(sentence: string, given: string): boolean {
  const words = folded(sentence).match(WORD) ?? [];
  if (words.length < LEAST_WORDS) return false;
  const known = folded(given);
  return words.filter((word) => known.includes(word)).length / words.length >= PASSED_ON;
}

/** Whether a sentence names a file that the turn read or changed: then it speaks of that. */
function namesFile(sentence: string, { toolSummary }: Informed): boolean {
  return toolSummary.some((call) => {
    if (!TOUCHES.test(call)) return false;
    const [path = ""] = call.slice(call.indexOf("(") + 1).split(/[,)]/, 1);
    const name = path.slice(path.lastIndexOf("/") + 1);
    return name.includes(".") && sentence.includes(name);
  });
}

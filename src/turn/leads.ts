import { RENDERS, rendersProject, rendersText } from "./address.ts";

/** Words that introduce or attribute another person's text. */

/** Characters of both ends of a line to examine. */
const LEAD_CHARS = 300;
const THINGS =
  "ticket|issue|bug report|report|e-?mails?|mails?|message|messages|log|logs|review|comments?|feedback|doc|docs|documentation|article|page|post|thread|conversation|transcript|chat|channel|slack|teams|discord|output|error|stack ?trace|trace|diff|patch|quote|minutes|memo|letter|response|reply|release notes|changelog|readme|text|snippet|paste|policy|announcement|description|advisory|wiki|runbook|blog|tweet|newsletter|pull request|pr|contract|readme|faq|standup|note from \\S+|notes from \\S+|request from \\S+|rules? (?:from|of|by) \\S+|instructions? (?:from|of|by) \\S+";
/** Verbs by which a line attributes what follows to a person. */
const SPEECH =
  "wrote|writes|said|says|replied|replies|posted|posts|commented|comments|asked|asks|reported|reports|sent(?: (?:me|us|this))?|mailed(?: (?:me|us))?|told (?:me|us)|answered|answers|suggested|suggests|pinged(?: me)?|messaged(?: me)?|forwarded|states|stated|recommends|recommended|claims|claimed|demands|announced|schrieb|schreibt|sagt|sagte|a écrit|écrit|dit|escribió|dice|dijo|ha scritto|написал\\w*|пишет";

/**
 * Lines that introduce another person's words. The last group is the text after the colon; vague introductions apply only to text
 * on following lines.
 */
const QUOTE_LEADS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:here(?:'s|’s| is| are| comes)|this is|these are|below (?:is|are)|attached(?: is)?|pasted?(?: from)?|copied(?: from)?|copy of|got|received|found|from|per|according to|quoting|quote from|fyi|hier (?:ist|sind|die|der|das)|anbei|voici|aqu[ií] (?:est[áa]|tienes)|ecco)\s+(?:[^\s.!?]+\s+){0,4}(?:${THINGS}|nachricht|fehlermeldung|courriel|correo|mensaje)\b(?:\s+[^\s!?:：]+){0,9}\s?[:：](?!\/)(.*)`,
    "iu",
  ),
  new RegExp(String.raw`\b(?:${SPEECH})\b[^.!?:\n]{0,60}[:：](?!\/)(.*)`, "u"),
  new RegExp(
    String.raw`(?:^|[.!?]\s+)(?![-*+#>\d]|for\b)(?:[^\s.!?]+\s+){0,8}?(?:${THINGS}|answer|jira|github|forwarded|fwd|reviewer|customer|support|vendor)\b(?:\s+#?[\w-]{0,12}\d[\w-]{0,12})?(?:\s+(?:from|by|of|that|which|i|we|he|she|they|in|on|for|to|with|about|at|above|below)\b(?:\s+[^\s!?:：]+){0,7}|,[^.!?:：]{1,40})?[:：]\**\s*()$`,
    "iu",
  ),
  /\b(?:fyi|fwd|forwarded|quoting|tl;?dr|words|answer|reply|note|message|comment|nit(?:pick)?|voice ?mail|reminder|request|suggestion|advice|review|feedback|hint|remark|statement|quote|dm|ping)(?: \([^()]{1,40}\))? (?:from|by|of) (?:the )?\p{L}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){0,2}(?: \([^()]{1,40}\))?\s?[:：](?!\/)(.*)/iu,
  /^(?:from )?(?:their|his|her|the (?:vendor|customer|upstream|partner|supplier)['’]s) [^:.]{2,50}:()$/i,
  new RegExp(
    String.raw`^(?:[\w-]+ ){0,4}(?:${THINGS}|memo|recording|voicemail) (?:of|from|by) \p{Lu}[^.!?:\n]{1,60}[:：](.*)`,
    "u",
  ),
  new RegExp(String.raw`(?:${RENDERS.source})[^.!?:：\n]{0,40}[:：](.*)`, "i"),
  /^(?:以下(?:は|が|是|为)|这是|這是|下面是|다음은|вот)[^。\n]{0,60}[:：](.*)/u,
  /^(?!(?:our|my|the|your|all|for|in|no)\b)(?:[\w.'’-]{1,30} ){1,3}(?:docs|documentation|handbook|manual|guide|wiki|readme|spec|blog|faq|newsletter|rfc)[:：](?!\/)(.*)/i,
];
/** Exceptions to these introductions: the person sets a rule, or reports their own words. */
const LEAD_EXCEPTIONS =
  /\b(?:always|never|must|should|shall|may not|only use|from now on|we (?:decided|agreed|want|use|keep|need)|i (?:decided|want|prefer|need|said|wrote|say)|we (?:said|wrote|say)|as i|my (?:answer|review|notes?|comment|reply|take)|you (?:said|wrote|say|reported|claimed|suggested)|convention|rules? (?:is|are|for)|format|decision)\b/i;

/** A sentence with a reported quotation: the text before the opening quotation mark. */
export const REPORTED_QUOTE = new RegExp(
  String.raw`(?:\b(?:${SPEECH}|say|reads?|according to|insists?|notes?|quot\w+|mentions?|argues?|advis\w+|wants?|tells?|comment|reply|mail|ticket|issue|page|docs?|post|review|reviewer|customer|vendor|thread|tweet|blog|website|handbook|manual|contract|spec|standard|steht|heißt es|laut|selon|según|secondo)\b)`,
  "iu",
);
/** Text after a quotation that attributes it: ", says the vendor", " is what the ticket demands", " — Mallory". */
export const QUOTE_ATTRIBUTION = new RegExp(
  String.raw`^[,.;]?\s{1,3}(?:[-–—]{1,2}\s?@?\p{Lu}|(?:on|in|from|by) (?:a|an|the|some|their|his|her) (?:\w+ ){0,2}(?:${THINGS})\b|(?!(?:when|whenever|if|once|because|unless|until|before|after|where|while|and|then|to|but|or|I|we|you)\b)(?:(?:is|was) what )?(?:(?!(?:I|we|you)\b)[^\s.!?]{1,30}\s){0,3}(?:${SPEECH})\b)`,
  "u",
);
export const OWN_SPEECH =
  /\b(?:I|we|you|it should|must|should) (?:already |just |always |also )?(?:say|said|says|wrote|write|read|reply|ask|tell|note|report)\b/i;

/** The end of an introduction that names a person. */
const OF_PERSON =
  /\b(?:from|by) (?:our |my |the |their )?\p{Lu}[\p{L}.'’-]{1,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){0,2}(?: \([^()]{1,40}\))?\s?[:：]$/u;
/** Introduces a program's output, which ends with its code fence. */
const OUTPUT = /\b(?:logs?|errors?|output|(?:stack )?trace|diff|patch|snippet|code|config)\b/i;

/** Tells whether the text after an introduction is somebody else's, however that text starts. */
export function introducesOthersText(lead: string): boolean {
  return OF_PERSON.test(lead) || rendersText(lead);
}

/** Tells whether an introduction announces a program's output. */
export function introducesOutput(lead: string): boolean {
  return OUTPUT.test(lead);
}

/** A quick test: every introduction matches it, and most lines do not. */
const MAY_LEAD = /[:：]|\b(?:this|following|mail|message|today|yesterday|now|says|writes|wrote|said)[.:]?$/i;

/** Tells whether an introduction leads to the person's own words: a rule, or a request about the project. */
function isOwnLead(words: string): boolean {
  return LEAD_EXCEPTIONS.test(words) || rendersProject(words);
}

/** Returns the offset of the introduced text in a line; null without an introduction. Of a long line, both ends are examined. */
export function leadIn(text: string): number | null {
  for (const start of text.length <= LEAD_CHARS ? [0] : [0, text.length - LEAD_CHARS]) {
    const part = text.slice(start, start + LEAD_CHARS);
    if (!MAY_LEAD.test(part)) continue;
    for (const lead of QUOTE_LEADS) {
      const found = lead.exec(part);
      const column = found && found.index + found[0].length - (found.at(-1)?.length ?? 0);
      if (column !== null && !isOwnLead(part.slice(0, column))) return start + column;
    }
  }
  return null;
}

import type { TextRange } from "./parts.ts";

/** Patterns of texts that people copy from elsewhere. Each is matched against one line of bounded length. */

/** A line of a log, a stack trace or a terminal. */
export const LOG_LINES: readonly RegExp[] = [
  /^\s*\[?\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d:\d\d:\d\d/,
  /^\s*(?:\[[\d:.,\s-]+\]\s*)?\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|SEVERE|NOTICE)\b\]?[:\s|]/,
  /^\s+at\s.+[:)]\d*\)?$/,
  /^Traceback \(most recent call last\)/,
  /^\s+File ".+", line \d+/,
  /^(?:[\w.]+(?:Error|Exception|Warning|Panic)|panic|thread '.+' panicked|[Ee]rror(?:\[\w+\])?|fatal|Caused by)\b.{0,40}?:\s/,
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d\d:\d\d:\d\d /,
  /^\s*#\d+ {1,3}(?:0x|\/)|^goroutine \d+ \[/,
  /^npm (?:ERR!|WARN|error|warn)\b/,
  /^\d+(?:\.\d+){3} - \S+ \[/,
  /^\d\d:\d\d:\d\d[.,]\d{3}\b(?! -->)/,
  /^[\w.-]{2,30}\[\d{1,7}\]:\s|^kernel: \[|^remote: /,
];

/** A line that starts with a shell's prompt. The command's output follows, up to a blank line. */
export const SHELL_LINE = /^(?:[$❯➜]\s+\S|[^\s@]{1,64}@[^\s@:~]{1,64}[:~]\S{0,200}[$#]\s)/;

/** The start of a diff, and the lines inside it. */
export const DIFF = {
  start: /^(?:diff --git |--- (?:a\/|\/dev\/null|\S+\s*$)|\+\+\+ (?:b\/|\S+\s*$)|@@ -\d+|Index: \S+$)/,
  line: /^(?:[-+ \\]|@@|diff |index |(?:new|deleted|old) |(?:rename|copy|similarity) |Index: |={20,}|Binary files )/,
  after: /^(?:[+\\]|@@|diff |index )/,
};

/** A header line of an email or a commit. */
const HEADER_LINE =
  /^(?:[*_]{0,2})(?:From|To|Cc|Bcc|Subject|Sent|Date|Reply-To|Author|Commit|Message-ID|Von|An|Betreff|Gesendet|Datum|De|À|Objet|Envoyé|Asunto|Para|Enviado|Fecha|Oggetto|От|Кому|Тема)(?:[*_]{0,2})\s?[:：](?:[*_]{0,2})\s*\S/i;

/** The line that an email program puts before a quoted message. The first pattern ends in a colon, the second needs none. */
const WROTE_LINE = /^(?:On|Am|Le|El|Il)\b.{4,160}\b(?:wrote|schrieb|écrit|escribió|ha scritto)\b/i;
const FORWARDED_LINE =
  /^(?:-{2,10} ?(?:Forwarded|Original|Weitergeleitete|Ursprüngliche)\b|Begin forwarded message:|(?:FW|Fwd|WG|TR|RV): \S)/i;

const CLOCK = String.raw`\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?`;
const DAY = String.raw`(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Yesterday|Today)\w*|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\.? \d{1,2}(?:, \d{4})?)`;
const WHO = String.raw`@?[\p{L}][\p{L}\p{N}._'’-]{0,30}(?: [\p{L}(][\p{L}\p{N}._'’()-]{0,30}){0,3}`;

/** The start of a chat message with a time: from Slack, Teams, Discord, WhatsApp, IRC, a call's transcript, subtitles. */
const CHAT_LINES: readonly RegExp[] = [
  new RegExp(
    String.raw`^\s*\[(?:${DAY}[, ]+(?:at )?)?${CLOCK}(?:[, ]+${DAY})?\]\s*(?:<?${WHO}>?\s*(?:[:>|-]|$)|${WHO}\s)`,
    "u",
  ),
  new RegExp(String.raw`^(?:${DAY}[, ]+)?${CLOCK}\s*(?:[-–—|]\s*)?<?${WHO}>?\s*[:>]\s`, "u"),
  new RegExp(
    String.raw`^${WHO}(?:\s*:[\w+-]+:)?(?:\s{2,}|\s*[,—–|-]\s*|\s*[[(]|\s+APP\s+|\s)(?:${DAY}(?:,? (?:at|um|à))? ?)?${CLOCK}[\])]?(?:\s*:.*)?$`,
    "u",
  ),
  new RegExp(
    String.raw`^(?:Created|Posted|Written|Published|Shared|Edited|Updated) by (?=\p{Lu})${WHO}(?:,| on\b| · ).{0,60}$`,
    "u",
  ),
  /^@(?!claude|codex|gemini|copilot|cursor|agent)[\w.-]{2,30}:\s+\S/i,
  /^u\/[\w-]{2,30}\s*[:·•]/,
];

/** The greeting of a letter to somebody other than the agent, and a closing with a name, each within a text. */
const GREETING =
  /^(?:hi|hello|hey|dear|good (?:morning|evening|afternoon|day)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|bonjour|bonsoir|hola|buenos d[ií]as|buenas)\b(?! (?:claude|codex|gemini|copilot|cursor|agent)\b)[^\n]{0,60}?(?:,|$|!)/im;
const CLOSING =
  /(?:^|[.!?]\s+|\n)(?:best|kind|warm)?\s?(?:regards|wishes|sincerely|yours(?: sincerely| truly)?|cheers|best|thanks|br|viele grüße|mit freundlichen grüßen|mfg|lg|cordialement|saludos|un saludo)(?: yours)?,?\s+\p{Lu}[\p{L}.]+(?: \p{Lu}[\p{L}.]+)?(?:,[^\n]{0,40}|\n[^\n]{0,60})?\s*$/iu;

/** Tells whether a text starts like a letter to somebody. */
export function isLetterGreeting(text: string): boolean {
  return GREETING.test(text.slice(0, 80));
}

/** Tells whether a text ends like a letter, with a name. */
export function isLetterClosing(text: string): boolean {
  return CLOSING.test(text.slice(-160));
}

/** The greeting of a letter, on a line of its own. */
const GREETING_LINE =
  /^(?:hi|hello|hey|dear|hallo|liebe[rs]?|sehr geehrte[rs]?|bonjour|hola) (?!claude|codex|gemini|copilot|cursor|there|again|agent)[\p{L}][\p{L}. ]{1,40},$/iu;

/** The closing of an email. The text below the name is the person's own. */
export const MAIL_CLOSING =
  /^(?:best(?: regards| wishes)?|kind regards|regards|cheers|thanks(?: a lot| so much)?|thank you|many thanks|sincerely(?: yours)?|yours|br|lg|vg|mfg|viele grüße|mit freundlichen grüßen|cordialement|saludos)\b[,.!]?(?:\s+\S{1,20}){0,2}$|^-- ?$/i;

/** Names of tags in which people write their own prompts. */
export const OWN_TAGS =
  /^(?:instructions?|task|tasks|goals?|rules?|requirements?|constraints?|objectives?|important|role|guidelines?|request|prompt|question|my[-_]\w+|private)$/i;

/** A line of a prompt. */
export interface PromptLine extends TextRange {
  text: string;
}

/**
 * Tells whether another person's document starts at a line and continues up to a paragraph that speaks about it. A greeting
 * starts a letter only if somebody signs below, because otherwise it may greet the agent.
 */
export function startsDocument(
  lines: readonly PromptLine[],
  at: number,
  text: string,
  isSignedBelow: boolean,
): boolean {
  const next = lines[at + 1]?.text ?? "";
  if (HEADER_LINE.test(text))
    return HEADER_LINE.test(next) || /^(?:\**)(?:subject|betreff|objet|asunto)/i.test(text);
  if (/^commit [0-9a-f]{7,40}\b/.test(text)) return HEADER_LINE.test(next);
  if (
    isWrote(text) ||
    (isSignedBelow && GREETING_LINE.test(text.trim())) ||
    (text === "---" && /^[\w-]+:\s/.test(next))
  )
    return true;
  return CHAT_LINES.some((sign) => sign.test(text));
}

function isWrote(line: string): boolean {
  return FORWARDED_LINE.test(line) || (WROTE_LINE.test(line) && /[:：]$/.test(line.trimEnd()));
}

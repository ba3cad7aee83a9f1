import { resumesOwnWords } from "./address.ts";
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

const UNIT = "(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)";
const AGO = String.raw`(?:\d{1,3} ?(?:s|secs?|m|mins?|h|hrs?|d|w|mo|y|${UNIT})\.?(?: ago)?|an? ${UNIT} ago|yesterday|just now)`;
const AUTHOR = String.raw`(?:u\/)?${WHO}(?:\s+@[\w.-]{1,30})?(?: (?:BOT|APP))?`;

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
  new RegExp(String.raw`^[*_]{0,2}${WHO}[*_]{0,2}\s*[[(](?:${DAY}[, ]+)?${CLOCK}[\])]\s*(?::|$)`, "u"),
  new RegExp(String.raw`^${AUTHOR}\s*(?:[·•]\s*(?:edited )?${AGO}\b.{0,20}|[—–]\s*(?:${DAY}|${AGO}))$`, "u"),
  new RegExp(
    String.raw`^(?!(?:about|only|almost|over|just|since|from|until|was|broke|began|ran|\w+ed) )@?[\w.-]{2,30} \d{1,3} ${UNIT} ago(?:\s*[|(].{0,60})?$`,
    "iu",
  ),
  new RegExp(
    `^${WHO} (?:edited|modified|updated|posted|published|shared)(?: this(?: page)?)? (?:${AGO}|(?:on )?${DAY})$`,
    "u",
  ),
  new RegExp(
    String.raw`^(?:Created|Posted|Written|Published|Shared|Edited|Updated) by (?=\p{Lu})${WHO}(?:,| on\b| · ).{0,60}$`,
    "u",
  ),
  new RegExp(String.raw`^${WHO}, \[(?:${DAY}[, ]+)?${CLOCK}\]:?$`, "u"),
  new RegExp(String.raw`^${CLOCK}\s+From ${WHO}(?: to ${WHO})?\s?:`, "iu"),
  /^<[@\w.|-]{1,30}>\s+\S/,
  /^@(?!claude|codex|gemini|copilot|cursor|agent)[\w.-]{2,30}:\s+\S/i,
  /^u\/[\w-]{2,30}\s*[:·•]/,
  new RegExp(String.raw`^(?:by )?${WHO}\s*»\s*${DAY}`, "u"),
  /^\d\d:\d\d(?::\d\d)?[,.]\d{3} --> /,
];

/** A name on a line of its own, with the time below: the heading of a comment in an application. */
const NAME_ALONE = /^@?\p{Lu}[\p{L}\p{N}._'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){0,2}$/u;
const TIME_ALONE = new RegExp(
  String.raw`^\s*(?:${CLOCK}(?:,? (?:on )?${DAY})?|${DAY}(?:,? (?:at )?${CLOCK})?|${AGO})\s*$`,
  "u",
);

/** The label of a question or an answer in a chat with a model, or on a page of questions. */
const ASKER = /^[*_]{0,2}(?:user|human|me|you|q(?:uestion)?)[*_]{0,2}\s?[:：]/i;
const ANSWERER =
  /^[*_]{0,2}(?:assistant|ai|bot|model|chatgpt|gpt[\w.-]*|claude|gemini|copilot|a(?:nswer)?)[*_]{0,2}\s?[:：]/i;

/** The header of a table of people, separated by commas or bars. */
const PEOPLE_TABLE =
  /^(?=[^\n]*\b(?:author|who|from|user|reporter|sender|name|customer|assignee|by)\b)(?:\w[\w ]{0,29}(?:,\w[\w ]{0,29}){2,20}|\|(?: ?[\w ]{1,30} ?\|){2,20})$/i;

/** A line that starts with only a name, as a handle, in brackets or with a role. Two of them make a dialogue. */
const MARKED_NAME =
  /^(?:\[@?([\p{L}][\p{L}\p{N}._-]{1,30})\]:?\s|[*_]{0,2}(\p{L}[\p{L}\p{N}._-]{1,30}) \([\p{L} ]{2,20}\)[*_]{0,2}:|(\p{L}[\p{L}\p{N}._-]{1,30}):$|@(\p{L}[\p{L}\p{N}._-]{1,30}):\s|(\p{L}[\p{L}\p{N}._-]{1,30})>\s)/u;
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

/** A line of a dialogue: a name and the spoken words. It counts if names recur. */
const NAMED_LINE =
  /^(?:[-*+•]\s+)?[*_]{0,2}(@?\p{L}[\p{L}\p{N}._'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30})?)[*_]{0,2} ?[:：][*_]{0,2} +\S/u;
/** Words before a colon that are not a speaker's name. */
const NO_NAME =
  /^(?:note|notes|goal|goals|context|rule|rules|error|warning|info|todo|fixme|example|question|answer|expected|actual|steps?|fix|problem|solution|requirements?|constraints?|file|files|path|branch|and|also|or|but|important|always|never|input|output|option|result|reason|why|what|how|where|when|task|tests?|frontend|backend|database|api|ui|docs?|style|naming|format|language|decision|plan|https?|user|answer)$/i;

/** The heading that a forge or a tracker writes above a comment. */
const COMMENT_LINE =
  /^(?:>\s*)?[*_]{0,2}@?[\w.-]+(?: [\w.-]+){0,2}[*_]{0,2}(?: \(?bot\)?)? (?:commented|left (?:an? |some |\d{1,2} )?(?:review )?comments?|requested changes|approved these changes|replied|added a comment|reviewed|opened this (?:issue|pull request)|opened|started a (?:discussion|conversation)|created an issue|reported|posted|asked)\b.{0,60}$/i;

/**
 * Signs of an issue, a ticket, or the minutes of a meeting. One of the first two is enough; of the others, it takes two on
 * different lines.
 */
const TICKET = {
  sure: /^(?:#{1,6}\s*|\*{2})?(?:steps to reproduce|how to reproduce|to reproduce|reproduction steps|expected (?:behaviou?r|results?)|actual (?:behaviou?r|results?)|reported by|reporter|assignee|acceptance criteria|story points|affects versions?|fix versions?|bug description|describe the bug)\b\W{0,4}(?:$|\S.*$)/i,
  minutes:
    /^(?:#{1,6}\s*|\*{2})?(?:(?:attendees|participants|apologies|teilnehmer(?:innen)?|anwesende?|présents|asistentes)\**\s?[:：]|\*\*present:?\*\*|(?:meeting (?:notes|minutes)|minutes)(?:[\s,–—-]{1,3}(?:(?:of|from) )?\d.{0,30})?$|protokoll vom \d.{0,30}$|(?:chatgpt|gemini|copilot)(?:\*\*:?| said:)$|(?<=#\s*)(?:release notes|changelog|what['’]s new)\b.{0,40}$|§ ?\d{1,4}\b)/i,
  closes: /^(?:(?:comments|replies|activity) \(\d{1,4}\)|\d{1,3} repl(?:y|ies))$/i,
  perhaps:
    /^(?:#{1,6}\s*|\*{2})?(?:current behaviou?r|ac|acceptance|description|environment|priority|labels?|status|title|summary|type|severity|ticket|component|milestone|sprint|epic|due(?: date)?|created(?: by| at)?|updated|customer|account|requester|reviewer|comment|author|body|posted by|published)\**\s*(?:[:：]|$)/i,
  story:
    /^as an? (?!rule|result|consequence|reminder|note|first|last)[\w ]{3,40}(?:,?$|,? i (?:want|need|can)\b)/i,
  key: /^(?:[[(#]{0,2})(?:[A-Z][A-Z\d]{1,9}-\d{1,6})\b[\])]?\s*[:\s—–|-]\s*\S|^(?:issue |ticket |pr |bug )?#\d{1,6}\b\s*[:\s—–|-]?\s*\S/i,
};

/** A line that only occurs in the copy of a page. */
const PAGE_LINE =
  /^(?:skip to (?:main )?content|sign in|log in|on this page|table of contents|was this (?:page|article) helpful\??|edit (?:this|on) (?:page|github)|last (?:updated|modified|reviewed)\b.{0,40}|\d+ min(?:ute)? read|published (?:on|in)\b.{0,40}|accept (?:all )?cookies|home\s*[>›»/]\s*\S.*|all rights reserved.*|share this (?:page|article|post))$/i;

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
    COMMENT_LINE.test(text) ||
    PAGE_LINE.test(text.trim())
  )
    return true;
  if (text === "---" && /^[\w-]+:\s/.test(next)) return true;
  if (NAME_ALONE.test(text) && TIME_ALONE.test(next)) return true;
  if (PEOPLE_TABLE.test(text) && /^\||,/.test(next)) return true;
  if (isAskedAndAnswered(lines, at)) return true;
  return CHAT_LINES.some((sign) => sign.test(text)) || isDialogue(lines, at);
}

function isWrote(line: string): boolean {
  return FORWARDED_LINE.test(line) || (WROTE_LINE.test(line) && /[:：]$/.test(line.trimEnd()));
}

/**
 * Tells whether questions and answers of two parties start at a line: at least three close together, or with a model answering.
 */
function isAskedAndAnswered(lines: readonly PromptLine[], at: number): boolean {
  const { text = "" } = lines[at] ?? {};
  if (!ASKER.test(text) && !ANSWERER.test(text)) return false;
  const near = lines.slice(at, at + 12).map((line) => line.text);
  const [asked, answered] = [
    near.filter((line) => ASKER.test(line)),
    near.filter((line) => ANSWERER.test(line)),
  ];
  const isOfModel = answered.some((line) => !/^[*_]{0,2}a(?:nswer)?[*_]{0,2}\s?[:：]/i.test(line));
  return asked.length > 0 && answered.length > 0 && (isOfModel || asked.length + answered.length > 2);
}

/** Tells whether a dialogue starts at a line: several lines start with a name and a colon, and a name recurs. */
function isDialogue(lines: readonly PromptLine[], at: number): boolean {
  const first = markedName(lines[at]?.text ?? "");
  if (first !== null)
    return lines.slice(at, at + 12).some(({ text }) => ![null, first].includes(markedName(text)));
  const name = nameIn(lines[at]?.text ?? "");
  if (name === null) return false;
  const names = lines.slice(at, at + 12).flatMap(({ text }) => nameIn(text) ?? []);
  return names.length >= 3 && new Set(names).size > 1 && new Set(names).size < names.length;
}

function markedName(line: string): string | null {
  const name = MARKED_NAME.exec(line)
    ?.slice(1)
    .find((each) => each !== undefined);
  return name === undefined || NO_NAME.test(name) ? null : name;
}

function nameIn(line: string): string | null {
  const name = NAMED_LINE.exec(line)?.[1];
  // A file name in a list may be followed by a colon, too.
  return name === undefined || NO_NAME.test(name) || /\.\w/.test(name) ? null : name;
}

/** Returns the line where an issue or a ticket starts: the first line of the paragraph with its first sign. */
export function findTicket(lines: readonly PromptLine[]): number | null {
  const signs = lines.flatMap(({ text }, at) => {
    const isSure = [TICKET.sure, TICKET.minutes, TICKET.closes].some((sign) => sign.test(text));
    const kind = isSure
      ? 2
      : [TICKET.perhaps, TICKET.story, TICKET.key].some((sign) => sign.test(text))
        ? 1
        : 0;
    return kind === 0 ? [] : [{ at, kind }];
  });
  const [first] = signs;
  if (first === undefined || signs.reduce((sum, { kind }) => sum + kind, 0) < 2) return null;
  let start = first.at;
  const goesWith = TICKET.minutes.test(lines[start]?.text ?? "") ? isHeading : goesWithTicket;
  while (start > 0 && goesWith(lines[start - 1]?.text ?? "")) start--;
  return start;
}

function isHeading(line: string): boolean {
  return /^#{1,6} /.test(line);
}

function goesWithTicket(line: string): boolean {
  return line.trim() !== "" && !/[:：?]\s*$/.test(line) && !resumesOwnWords(line);
}

import { OWN_VOICE } from "./address.ts";
import type { PromptLine } from "./paste-signs.ts";

/** Forms of texts that people do not type to an agent: tables, code, settings, logs, minutes, contracts. */

/** Maximum lines of a form without a blank line to examine for its signs. */
const FORM_LINES = 40;

/** Returns the number of the line after a block of foreign form; null if none starts at a line. */
export function formEnd(lines: readonly PromptLine[], at: number): number | null {
  return tableEnd(lines, at) ?? codeEnd(lines, at) ?? taggedEnd(lines, at) ?? contractEnd(lines, at);
}

function goOn(
  lines: readonly PromptLine[],
  from: number,
  isOne: (line: string, at: number) => boolean,
): number {
  let at = from;
  while (at < lines.length && isOne(lines[at]?.text ?? "", at)) at++;
  return at;
}

/** Returns the end of a table in bars, tabs or commas. */
function tableEnd(lines: readonly PromptLine[], at: number): number | null {
  const [first, second] = [lines[at]?.text ?? "", lines[at + 1]?.text ?? ""];
  if (/^\s*\|.*\|/.test(first) || /^\s*\+[-=]{2,}/.test(first)) {
    const until = goOn(lines, at, (line) => /^\s*[|+]/.test(line));
    return until - at >= 2 ? until : null;
  }
  if (/\S \| ?\S/.test(first) && second.includes("---") && /^[\s|+:-]*$/.test(second))
    return goOn(lines, at, (line) => line.trim() !== "" && /[|+]/.test(line));
  const tabbed = /[^\s:]\t+\S/;
  if (tabbed.test(first) && tabbed.test(second)) return goOn(lines, at, (line) => tabbed.test(line));
  const cells = cellsIn(first);
  if (cells < 2 || !/^[\w ]{1,30}(?:[,;][\w ]{1,30}){1,20}$/.test(first) || /[,;]\s/.test(first)) return null;
  const until = goOn(lines, at, (line) => cellsIn(line) >= cells);
  return until - at >= 3 ? until : null;
}

function cellsIn(line: string): number {
  return /^[^\s,;]/.test(line) ? Math.max(line.split(",").length, line.split(";").length) : 0;
}

/** A point of a Markdown list begins with a star, too, but not behind a space. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*\/|(?<=\s)\*(?: |$)|#(?!\w)|;|--\s|<!--|"""|%\s)/;
const COMMENT_BEHIND = /\S\s(?:#|\/\/|;)\s\S/;
/** A line of code or of settings, which is no sentence. */
const CODE =
  /^\s*(?:(?:const|let|var|func|function|def|class|import|export|return|public|private|protected|static|struct|enum|interface|fn|impl|use|package|namespace|#include|#define|SELECT|INSERT|CREATE|ALTER|UPDATE|async|await|if|for|while|switch|try|local|val|pub|module|require|void|int|string|bool|auto|begin|uint\d+_t)\b.*[({;=:,)}]|end;?\s*$|[})\]]+[;,]?\s*$|[\w.$\][]+\s*(?::=|=|\+=)\s*\S|-{1,2}[A-Za-z][\w:+.=-]*\s*$|\[[\w.:-]+(?: "[^"]{1,40}")?\]\s*$|[\w.-]+:\s*(?:$|[[{"'\d]|true\b|false\b|null\b)|@\w+\(?|\*\.\* ?\S|[\w.]+\([^)]*\)\s*(?:[;{]\s*)?$|<\/?[\w-]+[ >/])|\{\s*$|[=()[\]][^;]{0,80};\s*$/;
/** A setting, which may be the person's own: "retries: 5". */
const SETTING = /^[\w.-]+:\s+\S/;

/** Returns the end of lines of code or settings with comments: at least two lines, one of which is no comment. */
function codeEnd(lines: readonly PromptLine[], at: number): number | null {
  const first = lines[at]?.text ?? "";
  if (!COMMENT.test(first) && !CODE.test(first)) return null;
  const isIn = (line: string) => COMMENT.test(line) || CODE.test(line);
  const until = goOn(lines, at, (line, number) => {
    if (isIn(line)) return true;
    const next = lines[number + 1]?.text ?? "";
    if (line.trim() === "") return number + 1 < lines.length && isIn(next) && !/^#{1,6} /.test(next);
    return /^(?: {2,}|\t)\S/.test(line) && number > at;
  });
  const found = lines.slice(at, Math.min(until, at + FORM_LINES)).map(({ text }) => text);
  const code = found.filter((line) => CODE.test(line));
  const comments = found.filter(
    (line) => COMMENT.test(line) || (CODE.test(line) && COMMENT_BEHIND.test(line)),
  );
  // A heading and a list are Markdown, and a single setting may be the person's own.
  if (until - at < 2 || code.length === 0) return null;
  const isBraced = found.some((line) => /^\s*[}\])]/.test(line));
  return comments.length > 0 || isBraced || code.filter((line) => !SETTING.test(line)).length >= 3
    ? until
    : null;
}

/** Returns the end of lines that each begin with a tag in brackets. */
function taggedEnd(lines: readonly PromptLine[], at: number): number | null {
  const tag = /^\s*\[[\w./:-]{2,30}\]:?\s+\S/;
  const isTagged = [at, at + 1].every((line) => tag.test(lines[line]?.text ?? ""));
  return isTagged ? goOn(lines, at, (line) => line.trim() !== "") : null;
}

/** Signs of the minutes of a meeting; two of them are enough. */
const MINUTES: readonly RegExp[] = [
  /^(?:#{1,6}\s*|\*{1,2})?(?:minutes|protocol|protokoll|notes|summary|agenda|compte[- ]rendu|acta|verbale)\b(?!.{0,20}[:：])|\b(?:weekly|sync|stand-?up|retro|committee|board|council|guild|working group|steering)\b.{0,40}$/i,
  /^\s*(?:[-*]\s+)?\**(?:present|attending|attendees?|participants?|excused|absent|apologies|chair|minute[- ]taker|anwesend|entschuldigt|présents?|asistentes)\b\**\s*[:：]?\s+\S/i,
  /^\s*(?:TOP|item|agenda item|punkt)\s*\d{1,2}\b|^\s*(?:\d{1,2}[.)]\s*)?AOB\b/i,
  /(?:^|\s)(?:owners?|responsible|due|verantwortlich)\s*[:：]\s*\S|^\s*(?:[-*]\s+)?\**(?:action(?: item)?s?|to-?dos?|went (?:well|badly))\**\s*[:：]/i,
  /\((?:agreed|decided|approved|accepted|unanimous(?:ly)?|carried)\)|^\s*(?:[-*]\s+)?\**(?:agreed|resolved|decided|decisions?|resolutions?|beschluss|beschlossen|open)\**\s*[:：]/i,
  /\bvote:? \d|\b(?:board|committee|council|meeting|group|assembly) (?:resolves|resolved|decides|decided|agreed|approved)\b|\bnext meeting\b/i,
];
/** Words of contracts and licences; two different ones are enough. */
const CONTRACT =
  /\b(?:shall|hereby|herein|thereof|hereunder|licensees?|licensors?|the (?:software|work|services?|agreement|licen[cs]ed?|customer|provider|parties)|provided that|prior written consent|redistribut\w+|as is|warrant(?:y|ies)|liab(?:le|ility)|retain all|notwithstanding|terminat(?:e|ion)|sublicen[cs]e|copyright notice|list of conditions|copyright \(c|all rights reserved|disclaimer|permission is|obligations?)\b/gi;
const CLAUSE =
  /^\s*(?:(?:§+|[Ss]ection|[Aa]rt(?:icle|\.)|[Cc]lause)\s*\d{1,3}|\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+\p{Lu}[^.]{2,60}\.\s+\p{Lu}|\d{1,2}\.\d{1,2}\.?\s+(?:The|Any|Each|No|All|An?)\s)/u;
/** A line that names the author, the time or the readers of what somebody published. */
const BYLINE =
  /(?:^|[—–-] )(?:[Bb]y|[Vv]on|[Pp]ar|[Pp]or) (?:\p{Lu}[\p{L}\p{N}._'-]{1,30}(?: \p{Lu}[\p{L}.'-]{1,30}){0,2}(?:$|, | on )|[\p{L}\p{N}._-]{2,30} [»·|])|\b\d{1,3}[- ]min(?:ute)?s? read\b|\b[\d.,]+[KM]? (?:[Vv]iews|[Ll]ikes|[Rr]etweets|[Rr]eposts|[Uu]pvotes|votes|points)\b|^\p{L}.{0,60} (?:@[\w.]{2,30} · |\(@[\w.]{2,30}\)\s*$)|^▲ ?\d|[❤🔁♥👍]\s?\d/u;

/** Tells whether the minutes of a meeting, or what somebody published with their name, start with a paragraph. */
export function startsRecord(lines: readonly PromptLine[], at: number): boolean {
  if ((lines[at - 1]?.text ?? "").trim() !== "") return false;
  const found = paragraphAt(lines, at);
  if (found.some((line) => OWN_VOICE.test(line))) return false;
  // The points of a meeting may stand below its name.
  const isNamed = found.length === 1 && MINUTES.some((sign) => sign.test(found[0] ?? ""));
  const points = isNamed ? [...found, ...paragraphAt(lines, at + 2)] : found;
  const signs = MINUTES.filter((sign) => points.some((line) => sign.test(line)));
  return (points.length > 1 && signs.length >= 2) || found.some((line) => BYLINE.test(line));
}

/** Returns the end of a paragraph of a contract or a licence. */
function contractEnd(lines: readonly PromptLine[], at: number): number | null {
  if ((lines[at - 1]?.text ?? "").trim() !== "") return null;
  const found = paragraphAt(lines, at);
  const text = found.join(" ");
  if (OWN_VOICE.test(text)) return null;
  const words = new Set(text.toLowerCase().match(CONTRACT));
  const isClause = CLAUSE.test(found[0] ?? "");
  const isKnown = [...words].some((word) => /^(?:copyright|licens)/.test(word));
  return words.size >= (isClause ? 1 : isKnown ? 2 : 3) ? at + found.length : null;
}

function paragraphAt(lines: readonly PromptLine[], at: number): string[] {
  const until = goOn(lines, at, (line, number) => number < at + FORM_LINES && line.trim() !== "");
  return lines.slice(at, until).map(({ text }) => text);
}

/** What precedes a name within the braces of another name, as in YAML's `db: {user: ada, password: x}`. */
const IN_BRACES = /[\w"']:[ \t]{0,4}\{[^{}()\n]{0,70}$/;
/** What may stand before a name that starts a line: marks of lists, quotes, differences, line numbers, and commands. */
const LINE_START =
  /^(?:[ \t>*+#$%[-]|\d{1,6}(?:→|[.:|)\t]|(?=[ \t])))*(?:(?:export|set|setenv|declare(?: -\w+)?|local|readonly|ENV|ARG|env|-e|--env|set -\w+|\$env:)[ \t]*)*\\*["']?$/;

/** Words before a name at the start of a line, as in `Admin password: …`. */
const LABEL =
  /(?:^|\n)[ \t>*#-]*(?:[\p{L}']{1,20}[ \t]{1,3}){1,6}$|(?:[ \t]#|\/\/|\/\*|[ \t]--)[ \t]*(?:[\p{L}']{1,20}[ \t]{1,3}){0,4}$/u;

/** Words before a name that its value follows at once: `with the password x`. */
export const NAMING =
  /(?:[,;/(]|\b(?:with|using|try|use|enter|and|mit|und|dem|als|avec|et|con|y|com|e|met|en))(?: (?:the|my|our|dem|das|le|la|el|il))? $/i;

/** True behind a flag whose argument is a pair: `-var db_password=…`, `--set auth.password=…`. */
export function isOption(before: string): boolean {
  return /[ \t]-{1,2}[A-Za-z][\w-]{0,20}[ \t]$/.test(before.slice(-24));
}

/** True for a name that starts a line of settings: not one of code. */
export function startsLine(before: string): boolean {
  return (
    LINE_START.test(before.slice(before.lastIndexOf("\n") + 1)) &&
    !/^\s*(?:const|let|var)\b/.test(before.slice(-10))
  );
}

/** True for a name after other words of its line, or within braces as in YAML. */
export function isLabelled(before: string): boolean {
  return LABEL.test(before.slice(-60)) || IN_BRACES.test(before);
}

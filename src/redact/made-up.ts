import { piecesOf } from "./randomness.ts";
import { isExampleWord, isWordsOnly } from "./stand-ins.ts";

/** A made-up password of words and a number, joined or not: `Mosquito_Net7`, `plumtree88`, `tortuga2verde`. */
const MADE_UP = /^[\p{L}\p{M}\d]+(?:[-_.!#&@*+~:;%$^][\p{L}\p{M}\d]+)*[!?#$*&%+=~]{0,3}$/u;
/** A computing term with a number: `sha256`, `oauth2`, `utf8`, `varchar255`, `step3`. */
const ALGORITHM =
  /(?:^|[^a-z])(?:md(?=[245])|sha|shake|base|utf|ucs|argon|blake|bcrypt|scrypt|pbkdf|oauth|varchar|nvarchar|pkcs)[-_]?\d/i;
const NUMBERED = [
  "md|aes|rsa|ecdsa|ed|curve|hs|rs|es|ps|auth|http|ipv?|log|web|u?int|float|double|str|string|char|text|bits?|bytes?|blob|number|vt|html|css|mp",
  "win|windows|python|py|node|nodejs|java|php|ruby|go|rust|swift|scala|rfc|iso|crc|scram|ntlm|tls|ssl|ver|version|step|schritt|étape|paso|passo",
  "stap|krok|zeile|ligne|seite|line|level|page|row|col|column|item|field|slot|phase|stage|part|chapter|section|issue|pr|bug|ticket|task|sprint",
  "round|turn|build|release|port|exit|error|status|code|commit|vm|worker|replica|pod|id|key|arg|param|var|val|tmp|temp|fig|table|[a-z]",
].join("|");
/** Machines and people with a number of one or two digits. A year after them indicates a password. */
const COUNTED_NAMES =
  "ubuntu|debian|fedora|centos|postgres|mysql|redis|mongo|db|ec|host|server|app|user|admin|group|team|org";
const TECHNICAL = new RegExp(
  `(?:^|[^a-z])(?:(?:${NUMBERED})[-_]?\\d+|(?:${COUNTED_NAMES})[-_]?\\d{1,2})(?!\\d|(?-i:[a-z]))`,
  "i",
);
/** Numbers before a unit or a counting word: `12-character`, `30days`, `2fa`, `3rd`. */
const COUNTED =
  /^\d+[-_]?(?:chars?|character|characters|zeichen|stellig|tekens|caract\p{L}*|caratteri|znak\p{L}*|digits?|letters?|days?|hours?|hrs?|h|min|mins|minutes?|s|sec|secs|seconds?|ms|months?|weeks?|years?|bits?|bytes?|[kmg]b?|px|x|fa|fold|factor|way|step|st|nd|rd|th|times?|words?|d)(?![\p{L}\d])/iu;
const DATE = /^\d{4}-\d\d-\d\d(?:[T_ ]|$)|^\d{1,2}:\d\d(?::\d\d)?$/;
/** An issue key, a version, a file name or a branch name. */
const NAMED = /^[A-Z]{2,8}-\d+$|^v?\d+(?:\.\d+)+|\.(?:[a-z]{1,5}|(?:mp|md|bz|lz|sha|ts|h|m)\d)$|\(|\//;
const MIN_MADE_UP = 7;

/** Tells whether a value is the name of an algorithm or encoding with a number. */
export function isAlgorithm(value: string): boolean {
  return ALGORITHM.test(value);
}

/** Tells whether a value is the name of a type with a computing term inside: `Uint8Array`, `Argon2Hasher`. */
export function isNumberedType(value: string): boolean {
  return /^[A-Za-z]+\d{1,3}(?:[A-Z][a-z]+)*$/.test(value) && (ALGORITHM.test(value) || TECHNICAL.test(value));
}

/** Tells whether a value is a made-up password of words and a number, and not another name. */
export function isMadeUp(value: string): boolean {
  if (value.length < MIN_MADE_UP || value.length > 40) return false;
  if (!/\d/.test(value) || !/\p{L}{3}/u.test(value) || !MADE_UP.test(value)) return false;
  if (DATE.test(value) || COUNTED.test(value) || NAMED.test(value) || isWordsOnly(value)) return false;
  // Other names contain no such symbols, and no capitalised word before a counted one by chance: `Wobbly-Table-6`.
  const isTechnical = !/[&+#!^~*$]/.test(value) && TECHNICAL.test(value) && !isCountedByChance(value);
  return !ALGORITHM.test(value) && !isTechnical && isEnded(value);
}

function isCountedByChance(value: string): boolean {
  const first = /^(\p{Lu}\p{Ll}{3,12})[-_.]\p{Lu}\p{Ll}{2,12}[-_.]?\d{1,4}$/u.exec(value)?.[1];
  return (
    first !== undefined && !TECHNICAL.test(`${first}1`) && !isProgramWord(first) && !CODE_WORD.test(first)
  );
}

/** Tells whether a value has a capital, punctuation, a number of two digits, or a number after a longer word. */
function isEnded(value: string): boolean {
  if (/[!#&@*+~%$^?=]/.test(value) || /\p{Lu}/u.test(value) || /\d\d/.test(value)) return true;
  return value.length >= 9 || /^\p{L}+[-_.]?\d$/u.test(value);
}

/** Words of programs, which make up identifiers. */
const OF_CODE =
  /pass|pwd|secret|token|test|user|login|auth|field|form|page|spec|policy|bcrypt|argon|crypt|hash|hmac|chrome|firefox|iphone|android|windows|version|phase|issue|step|part|draft|build|port|beta|alpha|input|button|model|claude|gpt|opus/i;

/** Such a word alone. */
const CODE_WORD =
  /^(?:pass\w*|pwd|secrets?|tokens?|tests?|tester|users?|log(?:in|out|on)|auth\w*|fields?|forms?|pages?|specs?|polic(?:y|ies)|bcrypt|argon|\w*crypt\w*|hash\w*|hmac|chrome|firefox|iphone|android|windows|versions?|phase|issues?|steps?|parts?|drafts?|builds?|ports?|beta|alpha|inputs?|buttons?|models?|claude|gpt|opus|content|transfer|encod\w+|headers?|request\w*|response|fetch|site|allow|origin|requests|disposition|language|location|range|upgrade|insecure|ctrl|shift|alt|cmd|meta|tab|esc|del|flex|grid|basic|digest|bearer|negotiate|kerberos|ntlm|plain|strict)$/i;

function hasCodeWord(value: string): boolean {
  return piecesOf(value).some((piece) => CODE_WORD.test(piece));
}

/** Tells whether a made-up value contains a word of programs. */
export function hasWordOfCode(value: string): boolean {
  return OF_CODE.test(value);
}

/**
 * Tells whether a value is made-up words in camel case or joined by symbols, none of them a word of programs: `kettleDrum42`.
 * With a single digit, it must not contain an example word either.
 */
export function isChosenName(value: string): boolean {
  if (!isMadeUp(value) || hasWordOfCode(value) || !/[a-z]{3}/.test(value)) return false;
  if (
    !/[a-z][A-Z]|^[A-Z][a-z]|[-.!#&@*+~%$^?=]|\d[a-z]/.test(value) ||
    /^[a-z][a-z\d]*_[a-z\d_]+$/.test(value)
  )
    return false;
  return (
    /\d\d|[!#&@*+~%$^?=]/.test(value) ||
    !piecesOf(value).some((piece) => piece.length > 2 && isProgramWord(piece))
  );
}

const COUPLED =
  /^\p{Lu}?\p{Ll}{2,14}(?:[-_.&+@#!^~/*$%=?]\p{L}\p{Ll}{1,14}){1,4}[!?#$%&*]{0,2}$|^\p{Lu}?\p{Ll}{2,14}(?:\p{Lu}\p{Ll}{2,14}){1,2}[!?#$%&*]{1,2}$/u;

/**
 * Tells whether a value is two to five words joined or ended by symbols, without a number and with a capital, none of them a word
 * of programs, messages or examples: `Onion_Dome`, `Igel+Apfel`, `SilverSpoon!`.
 */
export function isCoupled(value: string): boolean {
  if (value.length < 7 || value.length > 40 || hasCodeWord(value)) return false;
  if (DISGUISED.test(value)) return true;
  if (!COUPLED.test(value) || !/\p{Lu}|[&+#!^~*$]/u.test(value) || /@[\w-]+\.[a-z]{2,}$/.test(value))
    return false;
  const words = value.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word.length > 2);
  const isPlain = (word: string) => isProgramWord(word) || isMessage(word);
  return /[&+#!^~*$]\p{L}/u.test(value) ? !words.every(isPlain) : !words.some(isPlain);
}

/** Capitalised words with a symbol in place of a letter: `T@ngerine_Moose`. */
const DISGUISED = /^\p{Lu}\p{Ll}{0,5}[@!$]\p{Ll}{3,10}(?:[-_.]?\p{Lu}\p{Ll}{2,12}){1,2}\d{0,4}!?$/u;
/** Example words that also occur in ordinary text. */
const ANY_WORD =
  /^(?:map|old|new|bad|real|top|time|home|cloud|long|short|strong|super|one|two|three|first|second|last|next|dead|end|work|guest|machine|bar|all|path|stage|master|sample|stub|end|of|page|the|my|to|is|on|in|it)$/i;

function isProgramWord(word: string): boolean {
  return isExampleWord(word) && !ANY_WORD.test(word);
}

/** Tells whether a value is words in camel case, none of them a word of programs: `grandmasKitchen`. */
export function isCamelPhrase(value: string): boolean {
  return (
    /^[a-z]{3,}(?:[A-Z][a-z]{2,})+$/.test(value) &&
    !hasCodeWord(value) &&
    !piecesOf(value).some(isProgramWord)
  );
}

/** Words of labels, messages, types and rules about passwords. */
const MESSAGE = new Set(
  `password passwords passwort passwörter kennwort passphrase passcode secret secrets token tokens pin key keys credential credentials login username user email
  account mot passe contraseña clave senha wachtwoord hasło пароль must should shall required require requires requirement needs need invalid incorrect wrong
  valid match matches matching mismatch least most characters character chars char zeichen caractères caracteres caratteri tekens znaków symbols symbol digits
  digit numbers number letters letter uppercase lowercase length minimum maximum min max between long short weak strong enter eingeben type please bitte
  confirm confirmation repeat wiederholen forgot forgotten vergessen oublié olvidaste reset change changed update updated new neues neu old altes current
  aktuelles your ihr dein votre vuestra sua seu hash hashed hashing encrypted encrypt decrypt plain plaintext stored store default optional string text field
  value values null undefined none empty blank missing missed expired expire expires ago days day hours hour minutes minute seconds second bytes bits
  failed failure error errors warning denied granted authentication authenticate authorization permission allowed forbidden cannot can't couldn't could
  a an choose pick create sign log good would will is are was were has have been be see set get use used using generate generated generator random placeholder example sample test dummy redacted
  hidden masked unknown todo tbd here there this that these those which when then than where what who whose its it they them you yours not but from with
  for the and or of to by as at an if in on no don't doesn't isn't insert read write load save show hide toggle copy click press
  mindestens höchstens erforderlich ungültig falsch requis requise obligatoire obligatorio obrigatório obbligatorio verplicht wymagane moins menos almeno
  minstens najmniej geheim anzeigen ändern zurücksetzen afficher modifier mostrar cambiar alterar cambia wijzigen`.split(
    /\s+/,
  ),
);
const SPLIT = /[^\p{L}\p{M}\d'’!#$%&*+@^~?]+/u;

/** Tells whether a word belongs to labels and messages about passwords: `required`, `denied`. */
export function isMessage(word: string): boolean {
  return MESSAGE.has(word.toLowerCase());
}

/** Tells whether a value is a word with a number of two to four digits, but no word of programs: `plumtree88`. */
export function isNumberedWord(value: string): boolean {
  return /^[a-z]{5,14}\d{2,4}$/.test(value) && isMadeUp(value) && !hasWordOfCode(value);
}

/** The end of a sentence or a label, or the start of code. */
const NO_PHRASE = /[.:?…]$|^\d[Dd]\b|^[<{[(]|[<>{}()[\]|\\=]|\b\d+\s?(?:of|von|de|ms|px|%)\b|,\s/;

/** Tells whether a value is two or more words without a number, as in a flag's quotes. */
export function isPair(value: string): boolean {
  if (value.length < 8 || NO_PHRASE.test(value) || isWordsOnly(value)) return false;
  const words = value.split(/\s+/);
  return words.length < 7 && words.every((word) => /^\p{L}{2,14}$/u.test(word) && !isMessage(word));
}

/** Tells whether a value is capitalised words joined by dots, none of them a word of programs: `Tin.Whistle.D`. */
export function isDottedPhrase(value: string): boolean {
  if (!/^\p{Lu}\p{Ll}{2,12}(?:[.-]\p{L}{1,12}){1,4}$/u.test(value)) return false;
  if (!value.includes(".") || hasCodeWord(value)) return false;
  return !piecesOf(value).some((piece) => isProgramWord(piece) || isMessage(piece));
}

/** Tells whether a value is a few lower-case words, including function words, none of them a word of programs or messages. */
export function isLooseLine(value: string): boolean {
  const words = value.split(" ").filter((word) => !SMALL.test(word));
  return (
    words.length > 1 &&
    words.length < 9 &&
    words.every((word) => /^\p{Ll}{3,14}$/u.test(word) && !isProgramWord(word) && !isMessage(word))
  );
}

/**
 * Tells whether a value with blanks is a chosen passphrase: three words, or two words and a number or symbol, but never a
 * message.
 */
export function isPhrase(value: string): boolean {
  if (value.length < 8 || value.length > 100 || NO_PHRASE.test(value)) return false;
  const words = value.split(/\s+/);
  if (words.length < 2 || words.length > 12) return false;
  // A single letter counts between blanks, but not inside a word: `a-swimming`.
  if (words.some(isMessage) || value.split(SPLIT).some((word) => word.length > 1 && isMessage(word)))
    return false;
  if (isWordsOnly(value)) return false;
  if (/\d|[!#$%&*+@^~]/.test(value)) return /\p{L}{2}/u.test(value) && !TECHNICAL.test(value);
  return (
    words.length > 2 &&
    words.every((word) => /^\p{L}[\p{Ll}\p{M}'’]{1,13}$|^\p{L}\p{Ll}{0,13}-\p{Ll}{2,13}$/u.test(word))
  );
}

/** Word endings that describe a quality: `case-sensitive`, `auto-generated`, `write-only`. */
const QUALITY =
  /(?:[a-z]{2}ed|[a-z]{3}ing|able|ible|ive|less|free|only|based|side|wide|safe|time|like|proof|ready|aware|level|factor|bound|width|length|size|term|end|stack|text|case|screen|line|specific|wise|iert|bar|isch|frei|los|mente|ado|ada|ido|ida|ato|ata|uto|uta|té|tée)$/i;

/** Prefixes that a hyphen joins to a word: `auto-fill`, `opt-out`. */
const PREFIX =
  /^(?:auto|pre|post|re|non|un|multi|self|semi|sub|super|over|under|inter|intra|anti|co|ex|half|full|high|low|well|hard|soft|double|single|per|opt|drop|pop|look|built|plug|roll|too|pass|sign|write|read|cross|right|left|up|down|off|out|by|key|run)[-_]/;

/** Tells whether words describe a quality. */
export function isQuality(value: string): boolean {
  return QUALITY.test(value);
}

/**
 * Tells whether a value is lower-case words joined by symbols as in passwords, none of them a word of programs or messages:
 * `blue-kayak`.
 */
export function isJoinedPhrase(value: string): boolean {
  if (value.length > 64 || !/^\p{Ll}{2,14}(?:([-_ ])\p{Ll}{1,14})(?:\1\p{Ll}{1,14}){0,9}$/u.test(value))
    return false;
  if (hasWordOfCode(value) || PREFIX.test(value) || (isQuality(value) && !value.includes(" "))) return false;
  const words = value.split(/[-_ ]/).filter((word) => !SMALL.test(word));
  return (
    words.length > 1 &&
    words.every(
      (word) => word.length > 2 && !isProgramWord(word) && !isMessage(word) && !CODE_WORD.test(word),
    )
  );
}

/** Tells whether a value is words joined by a symbol, with a capital or all in lower case. */
export function isJoined(value: string): boolean {
  return isCoupled(value) || isJoinedPhrase(value);
}

/** Function words within a phrase. */
const SMALL =
  /^(?:a|o|i|of|in|on|no|is|and|but|to|with|at|by|my|we|the|for|und|im|am|de|da|do|du|la|le|el|com|con|sem|van|na|et|y|z)$/;

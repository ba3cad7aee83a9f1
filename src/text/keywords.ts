import { INDEXED_CHARS, MAX_QUERY_TERMS } from "../constants.ts";
import { lazily } from "../lazily.ts";
import { firstUnits, lastUnits } from "./cut.ts";
import { ACCENT, composed, folded, indexPieces, queryPieces, wordRuns } from "./fold.ts";
import { wordsOfAscii } from "./identifiers.ts";
import { isStopWord } from "./languages.ts";
import { UNSPACED_LETTERS } from "./scripts.ts";

/**
 * Parts of German compounds in the form of `folded`. None of them starts or ends a longer English word, so that the table does
 * not change the keywords of English texts.
 */
const PARTS = [
  "abfrage abhangigkeit ablauf abschnitt abmeldung absturz anbindung anderung anfrage anmeldung ansicht antwort anweisung anwendung anzeige",
  "aufgabe aufruf ausdruck ausfuhrung ausgabe auswahl auswertung bedingung befehl benutzer berechnung berechtigung bereich bericht",
  "beschreibung bibliothek bildschirm datei dateien daten datenbank dienst eigenschaft eingabe einstellung einstellungen eintrag ereignis ergebnis",
  "fehler fenster funktion gedachtnis gerat gesprach grenze hinweis kennung kennwort konfiguration knoten leiste leitung losung loschung",
  "meldung nachricht netzwerk nutzer oberflache ordner passwort pfad platz prufung quelle rechner regel reihenfolge schaltflache schicht",
  "schleife schlussel schnittstelle schreib sicherung sitzung spalte speicher sperre sprache suche tabelle testfall treffer ubersetzung",
  "uberprufung umgebung unterschied ursache verbindung vergleich verlauf verschlusselung verwaltung verzeichnis vorlage vorschau warteschlange",
  "werkzeug wiederherstellung zahler zeichen zeiger zeile zeilen zugriff zusammenfassung zweig",
]
  .join(" ")
  .split(" ");

/** Letters by which most words are known to have no part at their start or end. */
const KNOWN_LETTERS = 4;

/** The table for the ends of words, with the longest parts first. Made for the first long word. */
const ends = lazily(() => {
  const parts = PARTS.toSorted((a, b) => b.length - a.length);
  return {
    parts,
    starts: new Set(parts.map((part) => part.slice(0, KNOWN_LETTERS))),
    lasts: new Set(parts.map((part) => part.slice(-KNOWN_LETTERS))),
  };
});
/** Ends of a part, and of what stands before one, that a linking `s` may follow, as in `Sitzungsdatei`. It belongs to neither part. */
const LINKS = {
  part: /(?:ung|ion|heit|keit)$/,
  before: /(?:ung|ion|heit|keit|schaft|tat|ling|ent)s$/,
} as const;
/** Minimum length of a compound: the shortest part and the shortest rest. */
const MIN_LENGTH = 8;
/** Minimum length of the rest of a compound; shorter rests are endings. */
const MIN_REST = 4;

/** Returns the parts of a German compound as far as one is in the table; none for other words. Takes a folded word. */
function compoundParts(word: string): string[] {
  if (word.length < MIN_LENGTH) return [];
  const { parts, starts, lasts } = ends();
  if (lasts.has(word.slice(-KNOWN_LETTERS))) {
    const last = parts.find((part) => word.endsWith(part)) ?? word;
    const before = word.slice(0, -last.length);
    const rest = LINKS.before.test(before) ? before.slice(0, -1) : before;
    if (rest.length >= MIN_REST) return [rest, last];
  }
  if (!starts.has(word.slice(0, KNOWN_LETTERS))) return [];
  const first = parts.find((part) => word.startsWith(part)) ?? word;
  const behind = word.slice(first.length);
  const rest = LINKS.part.test(first) && behind.startsWith("s") ? behind.slice(1) : behind;
  return rest.length < MIN_REST ? [] : [first, rest];
}

/** Common German words. Nearly every German text of a few sentences has two of them, and hardly any English text. */
const GERMAN_WORDS = [
  " und ",
  " nicht ",
  " ist ",
  " wird ",
  " eine ",
  " auf ",
  " mit ",
  " für ",
  " das ",
  " der ",
];

/** Tells whether a text seems to be German, at less than the cost of examining its words. */
function looksGerman(text: string): boolean {
  return GERMAN_WORDS.filter((word) => text.includes(word)).length >= 2;
}

/**
 * Keywords of texts and queries. `parseTranscript`, `parse_transcript`, `parse-transcript` and "parse transcript" have
 * the same keywords. Text in scripts without spaces is split into overlapping pairs of characters, so that a query
 * matches at any position. The tokenizer of the index (`porter unicode61`) adds stemming and folds the accents of single
 * Latin letters; `folded` does the rest.
 */

/** Patterns that find words in a text. */
interface Patterns {
  /** Runs of letters of one class; see `wordRuns`. */
  runs: RegExp;
  /**
   * Words joined by hyphens or dots, which are also indexed as one word: `parse-transcript` as `parsetranscript`. A match must
   * start at the start of a word: trying every letter of a long word would take quadratic time.
   */
  compounds: RegExp;
  /** The boundaries between the parts of an identifier: `aB`, `2B`, `ABc`. */
  joints: RegExp;
  hasJoint: RegExp;
}

/** Patterns for texts with only ASCII letters. Unicode's letter tables take milliseconds to build. */
const ENGLISH: Patterns = {
  runs: /[A-Za-z0-9_]+/g,
  compounds: /(?<![A-Za-z0-9_])[A-Za-z0-9_]+(?:[-.][A-Za-z0-9_]+)+/g,
  joints: /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g,
  hasJoint: /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|_/,
};
const anyScript = lazily((): Patterns => {
  const letter = `(?:(?![${UNSPACED_LETTERS}])[\\p{L}\\p{N}_])`;
  return {
    runs: wordRuns(),
    compounds: new RegExp(`(?<!${letter})${letter}+(?:[-.]${letter}+)+`, "gu"),
    joints: /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu,
    hasJoint: /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|_/u,
  };
});
/** Matches English text with the signs that people write in it: dashes, quotes, arrows, box drawings. */
const IS_ENGLISH = /^[\0-\x7f\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u27bf]*$/;

function patternsOf(text: string): Patterns {
  return IS_ENGLISH.test(text) ? ENGLISH : anyScript();
}

const NEEDS_WORK = /[a-z\d][A-Z]|[A-Z]{2}[a-z]|_|[\u0080-\u{10ffff}]/u;
const UNSPACED_BEFORE = new RegExp(`[${UNSPACED_LETTERS}]$`, "u");
const UNSPACED_AFTER = new RegExp(`^[${UNSPACED_LETTERS}]`, "u");
const ASCII = /^[\0-\x7f]*$/;
const UMLAUT = /[äöü]/;
/** Letters that the index's tokenizer turns into ASCII. */
const TOKENIZED = /[\u00c0-\u024f\u1e00-\u1eff]/g;
/** Words with full-width letters or ligatures. */
const WITH_FORMS = /(?<![\p{L}\p{N}_])[\p{L}\p{N}_]*[\uff10-\uff5a\ufb00-\ufb06][\p{L}\p{N}_]*/gu;
/** Numbers with dots, such as `9.6`. The index finds their digits side by side, so `9.6` does not match 96. */
const NUMBERS_ALONE = /^[\d.-]+$/;
/** A number with separated thousands: `2,000`, `12 500`, `1'250`, `1.500`. Few other numbers have this form. */
const THOUSANDS = /(?<![\d.,'’])\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?!\d)/g;
const HAS_THOUSANDS = /\d[.,'’ \u00a0\u202f]\d{3}(?!\d)/;
/** Longer words are data, such as hashes and encoded files. */
const MAX_WORD_CHARS = 64;

/** Returns the words of a text in order and unchanged; in scripts without spaces, single characters. */
export function wordsInOrder(text: string): string[] {
  return [...text.matchAll(patternsOf(text).runs)].flatMap(([word, unspaced]) =>
    unspaced === undefined ? word : [...unspaced],
  );
}

/** Returns the text for the keyword index: the indexed parts of a text, followed by other forms and parts of its words. */
export function keywordText(stored: string): string {
  const text = indexedParts(stored)
    .map((piece) => piece.text)
    .join("\n");
  const extra = new Set<string>();
  const isGerman = looksGerman(text);
  const words = isGerman ? null : wordsOfAscii(text);
  if (words === null) {
    for (const [word] of text.matchAll(WITH_FORMS)) extra.add(folded(word));
    addAnyWords(extra, composed(text), isGerman);
  } else {
    for (const compound of words.compounds) addCompound(extra, compound);
    for (const word of words.identifiers) for (const term of identifierTerms(word)) extra.add(term);
  }
  for (const number of thousandsIn(text)) extra.add(number);
  return extra.size === 0 ? text : `${text}\n${[...extra].join(" ")}`;
}

/** Tells whether an older version of `keywordText` may have given another result. For most English, it did not. */
export function needsReindexing(text: string): boolean {
  return HAS_THOUSANDS.test(text) || wordsOfAscii(text) === null || looksGerman(text);
}

function thousandsIn(text: string): string[] {
  return HAS_THOUSANDS.test(text) ? [...text.matchAll(THOUSANDS)].map(([number]) => digitsOf(number)) : [];
}

function digitsOf(number: string): string {
  return number.replace(/\D/g, "");
}

/** Adds the other forms of the words of a text in any script. */
function addAnyWords(extra: Set<string>, text: string, isGerman: boolean): void {
  for (const [compound] of text.matchAll(anyScript().compounds)) addCompound(extra, compound);
  if (!isGerman && !NEEDS_WORK.test(text)) return;
  for (const { 0: run, index, groups } of text.matchAll(anyScript().runs))
    for (const term of (groups?.unspaced ?? groups?.hangul)
      ? indexPieces(run, groups?.hangul !== undefined)
      : spacedTerms(run, isAttached(text, index, run.length), isGerman))
      extra.add(term);
}

/** Returns the additional index terms of a word from a script with blanks. */
function spacedTerms(word: string, isBesideOther: boolean, isGerman: boolean): string[] {
  const terms = [...identifierTerms(word), ...otherForms(word)];
  if (isBesideOther) terms.unshift(folded(word));
  return isGerman ? [...terms, ...compoundParts(folded(word))] : terms;
}

/** Tells whether a word touches letters of a script without spaces, so that the tokenizer takes both for one word. */
function isAttached(text: string, index: number, length: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + length, index + length + 2);
  return (
    !(ASCII.test(before) && ASCII.test(after)) && (UNSPACED_BEFORE.test(before) || UNSPACED_AFTER.test(after))
  );
}

/** Returns other spellings of an accented word: without accents, and with umlauts as an added `e`. */
function otherForms(word: string): string[] {
  if (ASCII.test(word) || word.length > MAX_WORD_CHARS) return [];
  const lower = word.toLowerCase();
  const plain = folded(word);
  const forms = plain === tokenized(lower) ? [] : [plain];
  return UMLAUT.test(lower) ? [...forms, folded(lower.replace(/[äöü]/g, withE))] : forms;
}

/** Returns a lower-case word in the tokenizer's form, before stemming. */
function tokenized(lower: string): string {
  return lower.replace(ACCENT, "").replace(TOKENIZED, (letter) => {
    const [base = letter, ...accents] = letter.normalize("NFD");
    return accents.length === 1 ? base : letter;
  });
}

function withE(umlaut: string): string {
  return `${folded(umlaut)}e`;
}

function identifierTerms(word: string): string[] {
  return patternsOf(word).hasJoint.test(word) ? [...partsOf(word), joinedOf(word)] : [];
}

function addCompound(extra: Set<string>, compound: string): void {
  if (compound.length <= MAX_WORD_CHARS && /\p{L}/u.test(compound)) extra.add(joinedOf(compound));
}

/** Returns the folded parts of an identifier. */
function partsOf(word: string): string[] {
  const { joints } = patternsOf(word);
  return word
    .split("_")
    .flatMap((piece) => piece.split(joints))
    .map(folded)
    .filter((part) => part !== "" && part.length <= MAX_WORD_CHARS);
}

/** Returns the common form of all spellings of an identifier. */
function joinedOf(word: string): string {
  return folded(word.replace(/[-._]/g, ""));
}

/**
 * Returns the distinct terms to search for, in the order of the text: words except stop words, identifiers and their
 * parts, and pairs of characters in scripts without spaces. Returns at most `limit` terms of letters and digits.
 */
export function keywordTerms(text: string, limit = MAX_QUERY_TERMS): string[] {
  return [...writtenTerms(text, limit).keys()];
}

/** Returns the same terms, each with its first spelling in the text: `already_exists` for `alreadyexists`. */
export function writtenTerms(text: string, limit = MAX_QUERY_TERMS): Map<string, string> {
  const terms = new Map<string, string>();
  const add = (term: string, written = term) => {
    if (terms.size < limit && !terms.has(term) && isTerm(term)) terms.set(term, written);
  };
  const read = (IS_ENGLISH.test(text) ? text : composed(text)).replace(THOUSANDS, digitsOf);
  const seen = new Set<string>();
  for (const [chunk] of read.matchAll(/[^\s,;:!?()[\]{}"'`<>|=]+(?:'[a-z]+)?/gu)) {
    if (seen.has(chunk)) continue;
    seen.add(chunk);
    if (IS_PLAIN.test(chunk)) addPlain(chunk, add);
    else addChunk(chunk, add);
    if (terms.size >= limit) break;
  }
  return terms;
}

type Add = (term: string, written?: string) => void;

/** Matches words of ASCII small letters and digits, as most words are. */
const IS_PLAIN = /^[a-z0-9]+$/;

function addPlain(word: string, add: Add): void {
  if (word.length > MAX_WORD_CHARS) return;
  add(word);
  for (const inner of compoundParts(word)) add(inner);
}

function addChunk(chunk: string, add: Add): void {
  const { compounds, runs } = patternsOf(chunk);
  for (const [compound] of chunk.matchAll(compounds))
    add(NUMBERS_ALONE.test(compound) ? compound : joinedOf(compound), compound);
  for (const run of chunk.matchAll(runs)) addRun(run, add);
}

function addRun({ 0: run, groups }: RegExpMatchArray, add: Add): void {
  if (IS_PLAIN.test(run)) addPlain(run, add);
  else if (groups?.unspaced === undefined && groups?.hangul === undefined) addWord(run, add);
  else for (const piece of queryPieces(run, groups.hangul !== undefined)) add(piece);
}

function addWord(run: string, add: Add): void {
  // A stop word without its accents may be another word: `fur` is not a stop word.
  if (run.length <= MAX_WORD_CHARS && !ASCII.test(run) && isStopWord(run.toLowerCase())) return;
  const parts = partsOf(run);
  if (parts.length > 1) add(joinedOf(run), run);
  for (const part of parts) {
    add(part);
    for (const inner of compoundParts(part)) add(inner);
  }
}

function isTerm(term: string): boolean {
  if (term === "" || term.length > MAX_WORD_CHARS || isStopWord(term)) return false;
  // A single letter or digit is in every text, but a single character of a script without spaces is a word.
  return term.length > 1 || !/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u.test(term);
}

/**
 * Returns the pieces of a turn's text to index by keywords and vectors: the whole text or, for a text beyond the limit, its start
 * with the prompt and its end with the answer. The part between is still stored and shown.
 */
export function indexedParts(text: string): { start: number; text: string }[] {
  if (text.length <= INDEXED_CHARS) return [{ start: 0, text }];
  const last = lastUnits(text, INDEXED_CHARS / 2);
  return [
    { start: 0, text: firstUnits(text, INDEXED_CHARS / 2) },
    { start: text.length - last.length, text: last },
  ];
}

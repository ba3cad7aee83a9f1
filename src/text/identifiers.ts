/** Words of a text that get a second form in the index, in order. */
interface FoundWords {
  /** Words joined by hyphens or dots, such as `parse-transcript`. */
  compounds: string[];
  /** Words that may have several parts, such as `parseTranscript` and `parse_transcript`. */
  identifiers: string[];
}

/** Character classes of word characters; 0 ends a word. */
const [OTHER, CAPITAL, LOW_LINE] = [1, 2, 3];
const SORTS = new Uint8Array(128);
SORTS.fill(OTHER, 48, 58).fill(OTHER, 97, 123).fill(CAPITAL, 65, 91).fill(LOW_LINE, 95, 96);
const [HYPHEN, DOT] = [45, 46];

/**
 * Finds the compound words and identifiers of a text, at about the cost of reading it. Returns null for a text with non-ASCII
 * letters or digits, since their words follow other rules.
 */
export function wordsOfAscii(text: string): FoundWords | null {
  if (!hasAsciiWords(text)) return null;
  const found: FoundWords = { compounds: [], identifiers: [] };
  let at = 0;
  while (at < text.length) at = sortAt(text, at) === 0 ? at + 1 : addWord(found, text, at);
  return found;
}

/** Adds the word at an offset with the words joined to it, and returns its end. */
function addWord(found: FoundWords, text: string, start: number): number {
  let from = start;
  let end = wordEnd(text, from);
  for (;;) {
    if (mayHaveParts(text, from, end)) found.identifiers.push(text.slice(from, end));
    if (!isJoined(text, end)) break;
    from = end + 1;
    end = wordEnd(text, from);
  }
  if (from > start) found.compounds.push(text.slice(start, end));
  return end;
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (sortAt(text, end) !== 0) end++;
  return end;
}

/** Tells whether a word contains a `_`, or a capital after its first letter. */
function mayHaveParts(text: string, start: number, end: number): boolean {
  if (sortAt(text, start) === LOW_LINE) return true;
  for (let at = start + 1; at < end; at++) if (sortAt(text, at) > OTHER) return true;
  return false;
}

/** Tells whether a hyphen or dot joins two words. */
function isJoined(text: string, at: number): boolean {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return (code === HYPHEN || code === DOT) && sortAt(text, at + 1) !== 0;
}

function sortAt(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return code < 128 ? (SORTS[code] ?? 0) : 0;
}

const NOT_ASCII = /[\u0080-\uffff]/;
const OTHER_LETTER_OR_DIGIT = /(?![A-Za-z0-9])[\p{L}\p{N}]/u;
/** A combining mark next to a letter, where it belongs to the word. Most marks follow a sign, such as an emoji. */
const MARK_IN_WORD = /\w\p{M}|\p{M}\w/u;

/** Tells whether all letters and digits of a text are ASCII. */
function hasAsciiWords(text: string): boolean {
  return !NOT_ASCII.test(text) || (!OTHER_LETTER_OR_DIGIT.test(text) && !MARK_IN_WORD.test(text));
}

/** Digits of a shown hash. Git shows seven or more; ten are unique in practice. */
const HASH_CHARS = 10;

/**
 * Returns a commit's hash in the length that all lists and messages show. A hash that git has abbreviated further stays as it is.
 */
export function shortHash(hash: string): string {
  return hash.slice(0, HASH_CHARS);
}

/** Extensions that mark a bare word as a file name. */
const EXTENSIONS = new Set(
  (
    "astro avif bash bat bib bmp c cc cfg cjs clj cljs cls cmake cmd coffee conf cpp cr cs cshtml csproj css csv cts cu cue cxx " +
    "d dart db diff dockerfile docx dts editorconfig edn eex ejs elm env erb erl ex exs fish fs fsproj fsx gif gitattributes gitignore " +
    "glb gltf go gohtml gql gradle graphql groovy gz h haml hbs hcl heex hh hpp hrl hs html htm http hxx icns ico idl ini ino ipynb " +
    "java jar jl jpeg jpg js json json5 jsonc jsonl jsp jsx key kt kts leex less lhs liquid lock log lua m mako markdown md mdc mdx mjs " +
    "mk ml mli mm mp3 mp4 mts mustache nim nix njk nu odt onnx org out pas patch pdf pem php phtml pl plist pm png po pot pptx prefab " +
    "prisma proj properties proto ps1 psm1 pub pug py pyi pyx qml r rake rb rbi rego res resx rkt rs rst rtf s sass sbt scala scm scss " +
    "sh shader sln slim snap sol sql sqlite sqlite3 srt styl sum sv svelte svg swift tar templ tex tf tfstate tfvars thrift tmpl toml " +
    "tpl ts tsbuildinfo tsv tsx ttf twig txt v vb vbproj vert vhd vim vue wasm wat webp woff woff2 xcodeproj xhtml xls xlsx xml xsd xsl yaml " +
    "yml zig zip zsh"
  ).split(" "),
);

const BARE_NAMES = new Set([
  "Makefile",
  "Dockerfile",
  "Containerfile",
  "Rakefile",
  "Gemfile",
  "Procfile",
  "Justfile",
  "justfile",
  "Jenkinsfile",
  "Vagrantfile",
  "Brewfile",
  "LICENSE",
  "README",
  "CHANGELOG",
  "CODEOWNERS",
]);

/** Tells whether a name has a known extension, is well known (`Makefile`) or has a leading dot (`.gitignore`). */
export function looksLikeFileName(name: string): boolean {
  if (BARE_NAMES.has(name)) return true;
  const dot = name.lastIndexOf(".");
  if (dot < 0 || dot === name.length - 1) return false;
  if (dot === 0) return /^\.[a-z][\w-]{2,}$/i.test(name);
  return EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}

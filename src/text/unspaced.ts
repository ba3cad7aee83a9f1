/**
 * Words of scripts without blanks between them, and of Korean, whose words have particles attached. No dictionary is asked:
 * overlapping pairs of characters stand for the words that they are in.
 */

const SCRIPTS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}ー";

/** Letters and digits that blanks do not separate, for character classes of expressions with the flag `v`. */
export const UNSPACED_LETTERS = `[[${SCRIPTS}\\p{Script=Hangul}]&&[\\p{L}\\p{N}\\p{M}]]`;

/** Runs of letters of one kind: without blanks, Hangul, or any other letters, digits and marks with `_`. */
export const WORD_RUN = new RegExp(
  `(?<unspaced>[[${SCRIPTS}]&&[\\p{L}\\p{N}\\p{M}]]+)|(?<hangul>[\\p{Script=Hangul}&&\\p{L}]+)|[[\\p{L}\\p{N}\\p{M}_]--${UNSPACED_LETTERS}]+`,
  "gv",
);

const HAN = /^\p{Script=Han}$/u;
const HIRAGANA = /^\p{Script=Hiragana}$/u;
const IS_HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u;
/** Characters that end a word: particles of Japanese, and of Chinese. */
const JAPANESE_PARTICLES = "はがをにのでともへや";
const CHINESE_PARTICLES = "的了吗呢吧";
/** Particles of Korean that few words end with. */
const KOREAN_PARTICLE =
  /(?<=.)(?:에서는|으로는|에서도|으로도|에게서|에서|으로|부터|까지|에게|한테|처럼|보다|[을를은는에])$/u;

/** Returns what is indexed of a run besides the run itself. */
export function indexedPieces(run: string, isHangul: boolean): string[] {
  if (!isHangul) return [...pairs(run), ...Array.from(run).filter((character) => HAN.test(character))];
  const stem = withoutParticle(run);
  return Array.from(stem).length === 1 ? [...pairs(run), stem] : pairs(run);
}

/** Returns what to look for for a run: pairs that belong to one word, as far as that can be told. */
export function soughtPieces(run: string, isHangul: boolean): string[] {
  if (isHangul) return pairs(withoutParticle(run));
  if (IS_HIRAGANA_ONLY.test(run)) return pairs(run);
  const characters = Array.from(run);
  const covered = new Set<number>();
  const kept = pairs(run).filter((pair, at) => {
    if (characters.length > 1 && !isOneWord(pair)) return false;
    covered.add(at).add(at + 1);
    return true;
  });
  const alone = characters.filter(
    (character, at) => !covered.has(at) && HAN.test(character) && !CHINESE_PARTICLES.includes(character),
  );
  return [...kept, ...alone];
}

/** Whether a pair may stand within a word: not around a particle, and not where the next word starts. */
function isOneWord(pair: string): boolean {
  const [first = "", second = ""] = Array.from(pair);
  if (HIRAGANA.test(first) || JAPANESE_PARTICLES.includes(second)) return false;
  return !CHINESE_PARTICLES.includes(first) && !CHINESE_PARTICLES.includes(second);
}

function withoutParticle(word: string): string {
  return word.replace(KOREAN_PARTICLE, "");
}

/** Returns overlapping pairs of characters, or the character itself when there is only one. */
function pairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

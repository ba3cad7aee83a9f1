import { lazily } from "../lazily.ts";

/** The most frequent words of each language, which carry no information about a text's topic. */
const BY_LANGUAGE = [
  // English
  "a about after again all also am an and any are aren't as at be because been before being but by can can't could couldn't did didn't do does doesn't doing don't done down each few for from further get gets got had has hasn't have haven't having he her here hers him his how i i'd i'll i'm i've if in into is isn't it it's its itself just let let's like make me more most my myself no nor not now of off on once only or other our ours out over own please same she should shouldn't so some such than that that's the their theirs them then there there's these they this those through to too under until up us very was wasn't we we're were weren't what what's when where which while who whom why will with won't would wouldn't yes yet you you're your yours",
  // German
  "aber als am an auch auf aus bei bin bis bist da damit dann das dass dem den der des die dies diese dieser dieses doch du durch ein eine einem einen einer eines er es für hat habe haben hatte ich ihr im in ist ja jetzt kann können mein mit muss nach nicht noch nur ob oder schon sehr sich sie sind so soll über um und uns vom von vor war warum was wenn werden wie wieder wir wird wo zu zum zur",
  // French
  "ai au aux avec ce ces cette comme dans de des du elle en est et être il ils je la le les leur lui mais me mes mon ne nous on ou où par pas plus pour pourquoi qu que quel quelle qui sa se ses son sont sur ta te tes ton tu un une vous",
  // Spanish and Portuguese
  "al como con cuando de del donde el ella en eres es esta está este esto ha hay la las le lo los más me mi muy no nos o para pero por porque qué que se ser si sin sobre son su sus te tu un una y ya yo ao as com como da das do dos e ela ele em então essa esse eu foi isso já mas na não nas no nos os ou para pela pelo por quando quem seu sua são também tem um uma você",
  // Italian and Dutch
  "alla anche che chi ci come con cosa da dal dalla del della di dove e gli ha ho il io la le lo ma mi nel nella non per perché più quando questo se si sono su un una uno aan als bij dan dat de deze die dit door een en er had heb hebben heeft het hij hoe ik in is je kan maar met mijn naar niet nog nu of om onder ook op over te tot uit van voor waar waarom was wat we wel wij wordt ze zijn",
  // Russian
  "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас опять вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет кто этот того потому этого какой ним здесь этом один почти мой тем чтобы нее сейчас были куда зачем при наконец два об другой хоть после над больше тот через эти нас про всего них какая много эту это эта почему нужно",
  // Korean: particles attached to words of other scripts, and pairs of endings
  "를 을 은 는 이 가 의 에 로 와 과 도 만 에서 으로 부터 까지 에게 한테 처럼 보다 하는 하고 해서 하면 하게 했다 한다 된다 됐다 되는 입니 니다 습니 세요 해줘 주세 어요 아요 그리 리고 그런 그래 이거 저거 그거 이것 그것 어떻 떻게 무엇 무슨 있는 있다 없다 있어 없어 우리 지금 다시 근데 그냥 바로 이제 것을 것이 것은 수가 때문 문에",
  // Japanese: particles, and pairs of endings
  "は が を に の で と も へ や か から まで より です ます した して する ない なる ある いる この その あの どの これ それ どう こと もの ため よう など のに ので には では とは った って ませ せん くだ ださ さい しま して いて れる られ でき きる",
  // Chinese
  "的 了 是 在 和 有 我 你 他 们 这 那 就 不 也 都 要 会 吗 呢 吧 把 被 从 到 对 我们 你们 他们 这个 那个 一个 什么 怎么 为什 没有 可以 如何 哪个 哪些 因为 所以 但是 如果 现在 这样",
];

const [english = "", ...others] = BY_LANGUAGE;

/** Stop words of English, and those of all other languages. */
const ENGLISH_WORDS = lazily((): ReadonlySet<string> => new Set(english.split(" ")));
const OTHER_WORDS = lazily((): ReadonlySet<string> => new Set(others.join(" ").split(" ")));

/** Created on first use: it would double the time of a hook that does not search. */
const stopWords = lazily((): ReadonlySet<string> => {
  const words = BY_LANGUAGE.join(" ");
  return new Set(`${words} ${words.replaceAll("'", " ")}`.split(" "));
});

/** Tells whether a lower-case word is too common to search for. */
export function isStopWord(word: string): boolean {
  return stopWords().has(word);
}

const LETTER = /\p{L}/gu;
const NOT_LATIN = /[\p{L}--\p{Script=Latin}]/gv;
const WORD = /[\p{L}'’]+/gu;
/** Code, paths and addresses, which belong to no language. */
const CODE = /`[^`]*`|[!-~]{0,100}[/\\_.:>][!-~]+/g;
/** Share of letters of other scripts from which a text is not English. Names in an English text stay below it. */
const OTHER_SCRIPT = 0.25;
/** Number of characters to examine. */
const HEAD = 1_000;

/**
 * Tells whether a text is in a language other than English: by its script, or because it has more frequent words of other
 * languages than of English. A text without any such words, such as names and code alone, counts as English.
 */
export function isOtherThanEnglish(text: string): boolean {
  const head = text.slice(0, HEAD).replace(CODE, " ").toLowerCase();
  const others = head.match(NOT_LATIN)?.length ?? 0;
  if (others > OTHER_SCRIPT * (head.match(LETTER)?.length ?? 0)) return true;
  const words = head.match(WORD) ?? [];
  const count = (has: ReadonlySet<string>, not: ReadonlySet<string>) =>
    words.filter((word) => has.has(word) && !not.has(word)).length;
  return count(OTHER_WORDS(), ENGLISH_WORDS()) > count(ENGLISH_WORDS(), OTHER_WORDS());
}

/** Words of other languages with the meaning of an English pattern, as alternatives of an expression. */
export interface OtherWords {
  /** Whole words of languages with spaces between them. */
  words?: string;
  /** Parts of words, or words of scripts without spaces. */
  parts?: string;
}

/** A letter of a word; `\b` knows only English letters. */
const WORD_LETTER = "[\\w\\u00c0-\\u024f\\u0400-\\u045f]";
/** Characters before the first word of a text. `\W` would include letters of other scripts. */
const OPENING = "[\\s\\u2010-\\u201f\\u3000-\\u3002\\u3008-\\u3011!-\\/:-@\\[-`{-~¡¿«»…]{0,2}";

/** Returns a pattern that also matches the words of other languages; with `isFirst`, only at the start of a text. */
export function addLanguages(english: RegExp, { words, parts }: OtherWords, isFirst = false): RegExp {
  const start = isFirst ? `^${OPENING}` : "";
  const others = [
    ...(words === undefined ? [] : [`${start}(?<!${WORD_LETTER})(?:${words})(?!${WORD_LETTER})`]),
    ...(parts === undefined ? [] : [`${start}(?:${parts})`]),
  ];
  return new RegExp([english.source, ...others].join("|"), english.flags);
}

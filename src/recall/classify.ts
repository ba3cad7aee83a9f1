import { CAVEAT_NOTICE, CLIENT_TAGS, CONTINUED_NOTICE, INTERRUPTED, typedText } from "../agents/notices.ts";
import { LETTERS_PER_WORD, UNSPACED } from "../text/scripts.ts";

/** The reason why a prompt gets no recall. */
export type TrivialReason =
  | "empty"
  | "notice"
  | "command"
  | "interruption"
  | "image"
  | "short"
  | "acknowledgement";

export type Classification = { trivial: false } | { trivial: true; reason: TrivialReason };

/** Characters to examine, so that the cost does not grow with the prompt. */
const HEAD = 400;
/** Maximum characters of an editor's addition to skip. */
const MAX_ATTACHED = 100_000;
/** Minimum words of a prompt. Fewer name no subject that a search could find. */
const MIN_WORDS = 3;
/** Minimum words of a prompt that says its own subject. */
const MIN_MATTER_WORDS = 4;
/** Maximum number of words in an acknowledgement. */
const MAX_FILLER_WORDS = 12;

/** Starts of Claude Code's own messages that reach a prompt hook or a transcript as if a person had typed them. */
const NOTICES = [CAVEAT_NOTICE, CONTINUED_NOTICE, "Stop hook feedback:", "Base directory for this skill:"];
const IMAGES_ONLY = /^(?:\s*\[(?:Image|Pasted (?:image|text))[^\]]*\])+\s*$/i;
const COMMAND = /^\/([A-Za-z][\w:.-]*)(?:\s|$)/;
/** First segments of absolute paths: `/tmp is full` is about a directory. */
const ROOT_DIRECTORIES =
  " usr etc var tmp home opt bin sbin lib lib64 dev proc sys mnt media root run srv boot users applications library system volumes private ";
/** ASCII words and symbols. */
const ASCII_WORD = /[a-z0-9][a-z0-9'_-]*/gi;
const ASCII_SIGNS = /[\s!-/:-@[-`{-~]+/g;
const ASCII = /^[\0-\x7f]*$/;

/** Words and symbols of all scripts. Made at first use: their tables would take most of the time of a trivial prompt's hook. */
const UNICODE = {
  word: () => /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu,
  signs: () => /[\s\p{P}\p{S}]+/gu,
  unspaced: () => new RegExp(`[${UNSPACED}]`, "gu"),
};

/**
 * Decides whether to search for a prompt, in constant time and without a database or a model. Trivial prompts are slash commands,
 * prompts of fewer than three words, acknowledgements in any case, interruptions, images alone, and messages that no person
 * typed.
 */
export function classify(given: string): Classification {
  if (!isAttached(given)) return classifyTyped(given);
  const typed = typedText(given.slice(0, MAX_ATTACHED));
  return typed === "" ? trivial("notice") : classifyTyped(typed);
}

function classifyTyped(prompt: string): Classification {
  const head = prompt.slice(0, HEAD).trim();
  if (head === "")
    return prompt.length > HEAD && prompt.trim() !== "" ? { trivial: false } : trivial("empty");
  if (isNotice(head)) return trivial("notice");
  if (head.startsWith(INTERRUPTED)) return trivial("interruption");
  const command = head.startsWith("/") ? COMMAND.exec(head)?.[1] : undefined;
  if (command !== undefined && !ROOT_DIRECTORIES.includes(` ${command.toLowerCase()} `))
    return trivial("command");
  if (prompt.length > HEAD) return { trivial: false };
  if (head.startsWith("[") && IMAGES_ONLY.test(head)) return trivial("image");
  const text = (ASCII.test(head) ? head : head.normalize("NFKC")).toLowerCase();
  if (isFiller(text)) return trivial("acknowledgement");
  return countWords(text) < MIN_WORDS ? trivial("short") : { trivial: false };
}

/** Tells whether a prompt begins with an addition of an editor or the client. */
function isAttached(prompt: string): boolean {
  return /^\s*(?:<(?:system-reminder|user-prompt-submit-hook|ide_\w+)>|# Context from my IDE setup)/.test(
    prompt.slice(0, HEAD),
  );
}

function isNotice(head: string): boolean {
  if (!head.startsWith("<")) return NOTICES.some((notice) => head.startsWith(notice));
  return new RegExp(`^<(?:${Object.values(CLIENT_TAGS).flat().join("|")})\\b`).test(head);
}

/** Counts words. In scripts without spaces, the number of letters decides. */
export function countWords(text: string): number {
  if (ASCII.test(text)) return text.match(ASCII_WORD)?.length ?? 0;
  const letters = UNICODE.unspaced();
  const unspaced = text.match(letters)?.length ?? 0;
  const spaced = text.replace(letters, " ").match(UNICODE.word())?.length ?? 0;
  return spaced + Math.ceil(unspaced / LETTERS_PER_WORD);
}

/** Tells whether a prompt names its subject, unlike "yes, go ahead with that". */
export function saysMatter(prompt: string): boolean {
  return countWords(prompt) >= MIN_MATTER_WORDS && !classify(prompt).trivial;
}

function isFiller(text: string): boolean {
  const isAscii = ASCII.test(text);
  if (isFillerPhrase(text.replace(isAscii ? ASCII_SIGNS : UNICODE.signs(), " ").trim())) return true;
  const words = text.replace(/[’`´]/g, "'").match(isAscii ? ASCII_WORD : UNICODE.word());
  if (words === null || words.length > MAX_FILLER_WORDS) return words === null;
  return words.every((word) => isFillerWord(word.replace(/(?<!')'+$/, "")));
}

function isFillerWord(word: string): boolean {
  return FILLER_WORDS.includes(` ${word} `) || isFillerPhrase(word);
}

function isFillerPhrase(phrase: string): boolean {
  return phrase !== "" && FILLER_PHRASES.includes(`|${phrase}|`);
}

function trivial(reason: TrivialReason): Classification {
  return { trivial: true, reason };
}

/**
 * Words without a subject, in any combination: assent, thanks, courtesy, "go on". Each stands between spaces: building a set
 * would take longer than searching this text a few times.
 */
const FILLER_WORDS = [
  " a about absolutely agree agreed ahead all alright amazing am and again any anything appreciate are as at awesome",
  " back be best better bit both brilliant but bye can carry cheers claude clear commit committed continue continuing cool",
  " correct could course day dear deal definitely do doing don't done else enough everything exactly excellent fair fantastic",
  " fine for from get give go goes going good goodbye got great guess gonna haha hello hey hi hmm hold how how's i i'd i'll i'm i've",
  " in indeed is it it's its job just keep know later let let's lets lgtm like little looking looks lol lot lovely love made make makes",
  " man many marvelous maybe me merge mind minute moment more morning much my nah neat next nevermind never nice nicely night no",
  " nope not nothing now of off ok okay okey ok'd on one ones oops option or other our out over perfect perfectly",
  " please pls plz point pretty proceed problem progress push pushed quite ready really right rock roll roger same say see seems sense",
  " ship shit so some sorry sound sounds splendid start step steps stop sure sweet take tested test tests run thank thanks that that'd",
  " that's thats the them then there there's these they this those though thx ty to today too top totally true try two",
  " u understood up us very wait wait's want was way we we're well what's whatever with wonderful work worked",
  " working works would wow wrong y ya yay yea yeah yep yes yessir you you're your yup k kk np gj nvm sgtm wfm",
  " ja nein danke bitte gut passt genau weiter mach super prima klar alles oui non merci parfait bien continue",
  " d'accord si sí no gracias perfecto vale sigue dale bueno obrigado sim não perfeito valeu да нет спасибо хорошо ок",
  " продолжай давай отлично понятно 네 예 아니요 아니오 응 그래 좋아 좋아요 감사합니다 고마워 고마워요 고맙습니다 계속 계속해 계속해줘",
  " 진행해 진행해줘 진행해주세요 알겠어 알겠습니다 확인 완료 ㅇㅇ ㅇㅋ 오케이 해줘 부탁해 부탁합니다 잘했어 좋습니다 수고했어 맞아 맞아요",
  " 그렇게 다음 단계 단계로 진행하자 하자 가자 그럼 이대로 그대로 넘어가자 넘어가줘 시작해 시작해줘 괜찮아 괜찮아요 \u110b\u110b \u110b\u110f \u110b\u110f\u110b\u110f",
  " gerne das genauso richtig stimmt jawohl einverstanden los vas-y vas y c'est bon ça va allez entendu voilà continúa adelante así acuerdo de por favor",
  " claro eso es hazlo listo pode continuar seguir está bom tá isso certo prossiga favor дальше сделай так продолжаем давайте верно точно ага конечно поехали",
  " tak nie dzięki sì grazie perfetto va bene tamam teşekkürler evet hayır dank je wel",
  " ",
].join("");

/** Such phrases in scripts without spaces, and greetings that contain other words. Each stands between bars. */
const FILLER_PHRASES = [
  "|はい|いいえ|ええ|うん|了解|了解です|了解しました|承知しました|ありがとう|ありがとうございます|どうも|お願いします|よろしく|よろしくお願いします",
  "|続けて|続けてください|続けてお願いします|進めて|進めてください|それでお願いします|大丈夫|大丈夫です|いいね|いいですね|完璧です|素晴らしい|わかりました|分かりました",
  "|いいよ|では進めてください|次に進んでください|次に進めて|そのまま進めて|その通り|その通りです|はいどうぞ|やってください|それでいい|それでいいです",
  "|就这样|那就这样|下一步|继续下一步|进行下一步|开始吧|没错|当然|嗯|嗯嗯|辛苦了|就按这个来|按这个来",
  "|好|好的|好吧|是|是的|对|对的|不|不是|谢谢|谢谢你|多谢|继续|请继续|继续吧|可以|可以的|没问题|明白|明白了|知道了|很好|非常好|太好了|太棒了|完美|行|好 谢谢",
  "|好的 谢谢|好的 继续|繼續|謝謝|沒問題|ขอบคุณ|ใช่|ไม่|ตกลง|what s up|what is up|how s it going|how is it going|how are you|how are you doing",
  "|how s your day|how is your day going|are you there|you there|who are you|what can you do|tell me a joke|what do you think|what do you suggest|what would you do",
  "|",
].join("");

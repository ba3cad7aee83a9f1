import { folded } from "../../text/fold.ts";
import { alsoIn, type OtherWords } from "../../text/languages.ts";
import { choreShare, wordCount } from "../chore.ts";
import type { QueryParts } from "../query.ts";
import { wordForm } from "../word-form.ts";

/**
 * What kinds of prompts there are, by words of German, French, Spanish, Portuguese and Russian, and by parts of words of Korean,
 * Japanese and Chinese. None of the words is one of English, so that English prompts are of the kinds that they are without this
 * table.
 */
export const PROMPTS_ELSEWHERE = {
  pointing: {
    words:
      "das|dies|diese[rs]?|hier|oben|nochmal|noch|auch|jetzt|ça|cela|ceci|ici|encore|aussi|maintenant|esto|eso|aquí|otra vez|también|ahora|isso|isto|aqui|de novo|também|agora|это|этот|эту|эти|здесь|тут|ещ[её]|тоже|сейчас|теперь",
    parts:
      "이거|그거|이것|그것|여기|위에|다시|지금|아까|도 |これ|それ|ここ|上の|もう一度|今|这个|那个|这里|上面|再|现在|也",
  },
  reply: {
    words:
      "ja|nein|genau|stimmt|okay|danke|bitte|weiter|fortfahren|einverstanden|mach das|oui|non|d'accord|parfait|merci|continue[zr]?|vas-y|passe[rz]? (?:à|au)|poursui[st]|sí|vale|perfecto|gracias|sigue|continúa|continuar|pasa(?:r)? al?|adelante|dale|sim|não|certo|perfeito|obrigad[oa]|continua|prossiga|vá para|pode|да|нет|хорошо|отлично|спасибо|продолжай|давай|верно|точно|ага|согласен|согласна|дальше|переходи|договорились",
    parts:
      "네|예|응|아니|그래|승인|이어서|좋아|ㅇㅋ|ㅇㅇ|오케이|알았어|알겠|계속|진행해|고마워|감사|はい|いいえ|うん|ええ|了解|ありがとう|続けて|進めて|そのまま|次[にへ]|お願い|いいね|是的|对|好的?|不是|不|同意|接着|请继续|继续|繼續|可以|谢谢|没问题|行",
  },
  correction: {
    words:
      "falsch|stattdessen|rückgängig|nicht so|du hast vergessen|faux|plutôt|annule[rz]?|tu as oublié|en su lugar|deshaz|revierte|olvidaste|errado|em vez disso|desfa[çz]\\w*|reverta|esqueceu|неправильно|не так|вместо этого|отмени|откати|верни|ты забыл",
    parts:
      "아니라|말고|틀렸|잘못|되돌려|취소|빠뜨|違う|間違|ではなく|戻して|取り消し|不对|错了|而不是|撤销|回退|你忘了",
  },
  request: {
    words:
      "füge|ergänze|erstelle|baue|schreibe?|behebe|repariere|ändere|aktualisiere|entferne|prüfe|untersuche|erkläre|warum|wie|wo|welche[rsn]?|ich (?:möchte|will)|wir brauchen|ajoute[rz]?|crée[rz]?|implémente[rz]?|écris|corrige[rz]?|modifie[rz]?|supprime[rz]?|vérifie[rz]?|explique[rz]?|pourquoi|où|quand|je veux|añade|agrega|crea|implementa|escribe|corrige|arregla|cambia|actualiza|elimina|quita|revisa|explica|por qué|cómo|dónde|quiero|adicion[ea]|crie|implemente|escreva|corrija|conserte|mude|atualize|remova|verifique|explique|por que|onde|quero|добавь|сделай|создай|реализуй|напиши|исправь|почини|измени|обнови|удали|убери|проверь|объясни|почему|зачем|как|где|когда|хочу|нужно",
    parts:
      "추가|만들어|구현|작성|고쳐|수정|변경|바꿔|삭제|제거|지워|확인|조사|설명|왜|어떻게|어디|언제|해줘|해 줘|하고 싶|追加|作成|作って|実装|書いて|修正|直して|変更|更新|削除|確認|調べ|説明|なぜ|どう|どこ|いつ|したい|してほしい|添加|增加|创建|实现|编写|修复|修改|更新|删除|移除|检查|调查|解释|为什么|怎么|如何|哪里|什么时候|我想|帮我",
  },
  lookBack: {
    words:
      "vorhin|früher|zuvor|letztes mal|letzte woche|gestern|schon mal|damals|wir (?:hatten|haben)|erinnerst du|auparavant|précédemment|la dernière fois|hier soir|déjà|nous avons|tu te souviens|antes|anteriormente|la última vez|ayer|ya lo|habíamos|recuerdas|da última vez|ontem|já tínhamos|lembra|раньше|ранее|до этого|в прошлый раз|вчера|уже|мы (?:делали|решили|обсуждали|меняли)|помнишь",
    parts:
      "전에|이전|지난|어제|예전|아까|저번|했었|기억|이미|前に|以前|前回|昨日|先週|もう|覚えて|之前|以前|上次|昨天|上周|已经|记得",
  },
} as const satisfies Record<string, OtherWords>;

/** What a prompt is, by its words alone, and how it stands to the session that asks. */
export interface Occasion {
  /** Natural logarithm of its number of characters. */
  length: number;
  question: number;
  /** A chore of version control, tests, or a release. */
  chore: number;
  /** Words that point into the running conversation. */
  pointing: number;
  /** Answers what the agent asked or did: assent, dissent, a choice. */
  reply: number;
  /** A correction of what the agent just did. */
  correction: number;
  /** A pasted error or log. */
  pasted: number;
  /** Opens a matter: asks for something to be built, mended or explained. */
  request: number;
  /** Looks back: asks what was done or decided before. */
  lookBack: number;
  names: number;
  /** Total rarity of its words, in nats. */
  rarity: number;
  /** True of the first prompt of a session. */
  opening: number;
  /** Natural logarithm of the number of turns of the session so far. */
  turns: number;
  /** Share of the prompt's rarity that the session's own turns contain, and of that the last turn alone. */
  known: number;
  knownLast: number;
}

const POINTING = alsoIn(
  /\b(?:this|that|it|these|those|them|here|above|again|both|other|same|else|still|now|also|too|one)\b/gi,
  PROMPTS_ELSEWHERE.pointing,
);
const REPLY = alsoIn(
  /^\s*(?:\d[.)\s]|(?:yes|yeah|yep|no|nope|ok(?:ay)?|sure|great|perfect|good|nice|thanks|please|go|do it|let'?s|continue|proceed|option|[a-d]|and|but|so|also|then|actually|hm+|ah|oh|wait|sounds|agree|right|correct|exactly|still|now)\b)/i,
  PROMPTS_ELSEWHERE.reply,
  true,
);
const CORRECTION = alsoIn(
  /\b(?:not what|wrong|instead|revert|undo|don't|doesn't|didn't|isn't|still|shouldn't|no longer|actually|rather|you (?:forgot|missed|broke|removed|should|did))\b/i,
  PROMPTS_ELSEWHERE.correction,
);
const PASTED =
  /```|\bat .{1,400}?:\d+:\d+|Traceback|^[ \t]*(?:Error|error|panic|FAIL|--- FAIL|npm ERR|✗|×)|\n.*\n.*\n.*\n.*\n/m;
const REQUEST = alsoIn(
  /\b(?:add|implement|create|build|make|write|fix|change|update|refactor|remove|support|investigate|debug|design|improve|extend|migrate|rename|move|review|check|find|why|how|what|where|when|which|can we|could we|should we|i want|i'd like|we need|explain)\b/i,
  PROMPTS_ELSEWHERE.request,
);
const LOOK_BACK = alsoIn(
  /\b(?:before|earlier|previous(?:ly)?|last (?:time|session|week)|yesterday|again|we (?:had|did|decided|discussed|talked|changed|added|fixed|used)|remember|history|already|used to|originally|back then|as (?:we|in))\b/i,
  PROMPTS_ELSEWHERE.lookBack,
);

/**
 * Describes a prompt for the model that decides what is worth telling. `own` are the texts of the session's latest turns,
 * oldest first.
 */
export function occasionOf(
  prompt: string,
  parts: Pick<QueryParts, "terms" | "fileHints" | "literals">,
  own: readonly string[],
): Occasion {
  const rarity = parts.terms.reduce((sum, term) => sum + term.rarity, 0);
  const text = prompt.slice(0, 4_000);
  const said = folded(own.join("\n"));
  const last = folded(own.at(-1) ?? "");
  const held = (lower: string) =>
    rarity === 0 || lower === ""
      ? 0
      : parts.terms.reduce((sum, term) => sum + (lower.includes(wordForm(term.term)) ? term.rarity : 0), 0) /
        rarity;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const words = wordCount(text);
  return {
    length: Math.log(Math.max(1, text.length)),
    question: Number(/[?？]/.test(text)),
    chore: choreShare(text),
    pointing: Math.min(1, (3 * count(POINTING)) / (words + 2)),
    reply: Number(REPLY.test(text)),
    correction: Number(CORRECTION.test(text)),
    pasted: Number(PASTED.test(text)),
    request: Number(REQUEST.test(text)),
    lookBack: Number(LOOK_BACK.test(text)),
    names: Math.log1p(parts.fileHints.length + parts.literals.identifiers.length),
    rarity: rarity / 30,
    opening: Number(own.length === 0),
    turns: Math.log1p(own.length),
    known: held(said),
    knownLast: held(last),
  };
}

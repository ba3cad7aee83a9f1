import { addLanguages, type OtherWords } from "../text/languages.ts";

/** Patterns for English, some with a few words of other languages. */
const ENGLISH = {
  /** A stated reason. */
  reason:
    /\b(?:because|since|so that|due to|caused by|the reason|to avoid|to prevent|otherwise|that's why|which (?:means|is why)|weil|damit|parce que|porque|потому что)\b|때문|から|ので|因为|因為|所以/i,
  /** A decision. */
  decision:
    /\b(?:decid\w+|decision|chose|chosen|choose|agreed|instead of|rather than|prefer\w*|went with|go(?:ing)? with|settled on|on purpose|by design|source of truth|convention|statt|entschieden|plutôt que|en lugar de)\b|하기로|대신|ことにし|决定|決定|而不是/i,
  /** A rule or a limit. */
  rule: /\b(?:must|never|always|should(?:n't| not)?|only|cannot|can't|don't|do not|does(?:n't| not)|won't|need(?:s)? to|required?|no longer|no \w+s|nowhere|nobody|nothing but|at all|without|has to|have to|at (?:most|least)|muss|nie|immer|doit|jamais|debe|nunca)\b|해야|하지 마|안 되|必ず|べき|必须|必須|不要|不能/i,
  /** A rule without exceptions. */
  firm: /\b(?:must|never|always|cannot|can't|don't|do not|nie|immer|jamais|toujours|nunca|siempre)\b|해야|必ず|必须|必須|不能/i,
  /** A norm: what shall be, or may not be. */
  norm: /\b(?:must(?:n't)?|(?:may|can) (?:only|not|never)|(?:nothing|nobody|nowhere|no \w+) (?:may|can|is|are|will)|never|always|has to|have to|(?:is|are) to be|should(?:n't)?|no \w+s?, no|at all\b|at all$|from now on|for good|at (?:most|least)|only (?:from|when|if|after|until)|every(?:thing|body)? (?:over|above|below|else)|any(?:thing|body)? (?:over|above|below|else)|we (?:don't|do not|never|always|only)|needs? (?:one|to)|contract\w*|legal|muss|darf|nie|immer|doit|jamais|debe|nunca)\b|해야|하지 마|안 되|必ず|べき|必须|必須|不要|不能/i,
  /** A conclusion from earlier sentences. */
  conclusion:
    /^(?:["“]?(?:(?:good|great|right|ok(?:ay)?|yes|ah)[,.!:—-]+ )?(?:so|therefore|thus|hence|that (?:settles|explains|answers)|the (?:effect|cause|reason|upshot)|and that is|that(?: i|')s (?:why|the|it)|it turns out|in short|for the (?:record|future)|from now on|settled|agreed|decided|answer)\b)/i,
  /** A report of a step that the speaker took. */
  report:
    /^(?:and |so |then |also )?(?:i(?:'ve| have)? (?:set|added|checked|changed|wrote|put|made|left|fixed|updated|removed|moved|ran|documented)|rolled out|released|done|it's (?:live|there|in))\b/i,
  /** A discovery. */
  finding:
    /\b(?:root cause|the (?:real |actual |main |underlying |core )?(?:issue|problem|bug|cause|error|reason|culprit|difference|key)\b|turns out|found (?:that|the|it)|fails? (?:when|if|because|with)|happens (?:when|because|if)|broke|breaks|it's (?:a|the|not)|is (?:set|stored|called|created|used|written|defined|handled|triggered)|works by|means that)\b|원인|原因|문제는|問題は/i,
  /** A completed change. */
  change:
    /\b(?:fix(?:ed|es)|added|adds|changed|changes|updated|now (?:use|uses|returns?|checks?|handles?|works?|shows?|is|are)|replaced|removed|moved|renamed|refactored|created|implemented|extracted|switched|introduced|merged|dropped)\b|수정|추가|변경|追加|変更|修正|删除|添加|修改/i,
  /** An announcement of a step. */
  narration:
    /^(?:(?:now|ok(?:ay)?|good|great|perfect|excellent|next|first|then|alright|hmm|wait|actually|interesting|right|so|and|but)\b[,.!:\s—-]*)*(?:let me|let's (?:see|look|check|start|first|now|run|verify|try|read)|i'll|i will|i'm going to|(?:i )?(?:(?:also|still) )?need to|i should|i can see|i see|i'm|i have|i want|i now|looking at|checking|running|reading|now (?:i|let|the|that|we|update|add|check|run|fix|remove|replace|create|write|rewrite|wire|move|rename|delete|commit|stage|implement|verify|test|build|look|read|make|set|apply|find|do)\b|delegating|kicking off|spawning|launching|time to|moving on|time for|지금|먼저|まず|先)/i,
  /** A report of success or of a check. */
  checked:
    /\b(?:all )?(?:tests?|lint\w*|build|typecheck|ci|checks?|compil\w+)\b.{0,40}\b(?:pass\w*|clean|green|succeed\w*|success\w*|done|pushed|fail\w*)\b|^(?:done|all done|perfect|great|excellent)\b|✅|committed and pushed|^pushed\b|\bpushed(?: (?:to|it|as|all|both|the|and)\b|[.!]?$)/i,
  /** A guess or an open option. */
  guess:
    /\b(?:maybe|perhaps|probably|possibly|might|could (?:be|also|we)|i think|i wonder|not sure|option [a-d\d]|would you like|do you want|shall (?:i|we)|should i|if you(?:'d| would)? (?:want|like|prefer))\b/i,
  /** A restatement of the user's intention. */
  restated:
    /^(?:(?:the user|user)\b.{0,20}\b(?:wants?|asks?|asked|is asking|says?|said|mentioned|wants me|has|confirmed|approved)\b|(?:initial|primary|original|main) (?:request|intent|task|goal)\b)/i,
  /** Remaining work. */
  open: /\b(?:todo|still (?:to|needs?|open|missing|fails?)|not yet|remain(?:s|ing)|next(?: step)?(?:,|:| is| I)|left to do)\b/i,
  question: /[?？]["'»”’)\]*_`]*$/,
  /** A line that introduces the next one. */
  lead: /[:：]\**$/,
  /** A reference to an earlier sentence. */
  deictic: /^(?:this|that|these|those|it|they|he|both|yes|no|same|which|so|also|and|but|however)\b/i,
  name: /`[^`]+`|(?<![\w-])[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|c|h|cc|cpp|cs|php|sh|sql|css|html|vue|md|ya?ml|json|toml|mdx|omp)\b|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\b\w+\(\)|--\w+/,
} as const;

export type Cue = keyof typeof ENGLISH;

/**
 * Cues in German, French, Spanish, Portuguese and Russian as whole words, and in Korean, Japanese and Chinese as parts of words.
 * None of the words is English, so that English sentences have the same cues with or without this table.
 */
const ELSEWHERE = {
  reason: {
    words:
      "denn|deshalb|deswegen|sonst|parce qu'\\w+|puisque|afin de|afin que|sinon|car il|debido a|para que|ya que|de lo contrario|já que|devido a|para evitar|senão|потому что|поскольку|так как|чтобы|из-за|иначе",
    parts: "위해|므로|이유는|ため|なぜなら|由于|為了|为了|否则",
  },
  decision: {
    words:
      "beschlossen|bevorzug\\w+|anstatt|anstelle|absichtlich|décidé|choisi|préfér\\w+|au lieu de|exprès|decidi\\w+|elegi\\w+|prefer\\w+|en vez de|a propósito|escolh\\w+|em vez de|de propósito|решили|выбрали|решено|вместо|предпочит[а-яё]*|намеренно",
    parts: "결정|기로 했|선택|일부러|決め[たてま]|選んだ|代わりに|わざと|選択し|选择|采用|改用|故意",
  },
  rule: {
    words:
      "müssen|darf|dürfen|niemals|sollte|sollten|ausschließlich|keinesfalls|ohne|nicht mehr|doivent|toujours|il faut|ne pas|interdit|uniquement|deben|siempre|hay que|no se puede|sólo|sin que|deve|devem|sempre|nunca|não pode|somente|apenas|нельзя|всегда|никогда|должен|должна|должно|должны|только|нужно|надо|без",
    parts:
      "하지 않|말아|말 것|항상|절대|반드시|만 사용|してはいけ|しないで|ならない|なければ|常に|のみ|决不|总是|始终|只能|必需|禁止",
  },
  firm: {
    words:
      "niemals|keinesfalls|muss|darf nicht|il faut|interdit|hay que|sempre|não pode|nunca|нельзя|всегда|никогда",
    parts: "항상|절대|반드시|하지 마|常に|決して|绝不|总是|始终|禁止|不要",
  },
  norm: {
    words:
      "müssen|dürfen|niemals|sollten?|ab jetzt|künftig|doivent|toujours|il faut|désormais|deben|siempre|hay que|a partir de ahora|deve|devem|sempre|a partir de agora|нельзя|всегда|никогда|должн?ы?|отныне|впредь",
    parts: "항상|절대|반드시|앞으로는?|ならない|常に|今後|决不|总是|始终|只能|禁止|以后",
  },
  conclusion: {
    words:
      "also gilt|daher|somit|folglich|kurz|fazit|entschieden|donc|ainsi|par conséquent|en bref|désormais|décidé|por lo tanto|por tanto|así que|en resumen|decidido|portanto|assim|em resumo|итак|значит|таким образом|следовательно|решено",
    parts: "따라서|그래서|결론|결국|정리하면|したがって|つまり|結論|そのため|因此|所以|总之|结论|综上",
  },
  report: {
    words:
      "ich habe|erledigt|fertig|umgesetzt|j'ai|terminé|c'est fait|he (?:añadido|cambiado|actualizado|corregido|eliminado|creado)|listo|hecho|adicionei|alterei|atualizei|corrigi|removi|criei|feito|я (?:добавил|изменил|обновил|исправил|удалил|создал)[а-яё]*|готово|сделано",
    parts:
      ".{0,80}(?:완료|추가|수정|변경|삭제|생성)했(?:습니다|어요|다|음)[.!]?$|.{0,80}(?:変更|追加|修正|完了|削除|作成)しました[。!！]?$|我已|已经|已完成|完成了",
  },
  finding: {
    words:
      "ursache|das problem|der fehler|der grund|liegt daran|es stellt sich heraus|la cause|le problème|l'erreur|la raison|il s'avère|la causa|el problema|el error|la razón|resulta que|a causa|o problema|o erro|a razão|acontece que|причина|проблема|ошибка|дело в том|оказалось|оказывается",
    parts: "문제|버그는|이유는|판명|のせい|バグは|と判明|問題|问题|根因|错误是|是因为",
  },
  change: {
    words:
      "hinzugefügt|geändert|behoben|entfernt|ersetzt|verschoben|umbenannt|(?:ajouté|modifié|corrigé|supprimé|remplacé|déplacé|renommé)e?s?|añadid\\w+|cambiad\\w+|corregid\\w+|eliminad\\w+|movid\\w+|adicionad\\w+|alterad\\w+|corrigid\\w+|removid\\w+|substituíd\\w+|добавлен[а-яё]*|изменен[а-яё]*|исправлен[а-яё]*|удал[её]н[а-яё]*|заменен[а-яё]*|перенес[а-яё]*",
    parts: "삭제|교체|이동|리팩터링|削除|置き換え|移動|修复|替换|移动|重构|新增",
  },
  checked: {
    words: "tests? (?:sind|laufen) (?:grün|durch)|tous les tests|todas las pruebas|todos os testes|все тесты",
    parts: "테스트.{0,12}통과|テスト.{0,12}(?:通|成功)|测试.{0,12}通过",
  },
  guess: {
    words:
      "vielleicht|möglicherweise|wahrscheinlich|vermutlich|könnte|ich glaube|soll ich|möchtest du|peut-être|probablement|je pense|voulez-vous|veux-tu|dois-je|quizás?|tal vez|probablemente|podría|creo que|quieres que|talvez|provavelmente|poderia|acho que|você quer|quer que|возможно|наверное|вероятно|может быть|кажется|думаю|хотите|хочешь",
    parts:
      "아마|것 같|일지도|할까요|원하|たぶん|かもしれ|と思い|でしょうか|しましょうか|也许|可能|大概|我觉得|要不要|是否需要",
  },
  open: {
    words: "noch nicht|fehlt noch|offen|pas encore|reste à|todavía no|falta|ainda não|ещ[её] не|осталось",
    parts: "아직|남은|まだ|残り|还没|尚未|剩下",
  },
  deictic: {
    words: "das|diese[rs]?|cela|ceci|c'est|esto|eso|isso|isto|это|этот|эта",
    parts: "이것|그것|이는|그건|이건|これ|それ|この|その|这|那",
  },
} as const satisfies Record<string, OtherWords>;

/** Cues that count only at the start of a sentence. */
const AT_START = {
  narration: {
    words:
      "ich (?:werde|schaue|prüfe|sehe|lese|starte|suche|beginne|muss)|lass mich|schauen wir|jetzt (?:schaue|prüfe|starte|lese)|zuerst|zunächst|als nächstes|je (?:vais|regarde|vérifie|commence)|voyons|laisse[zr]?-moi|regardons|commençons|d'abord|maintenant,? je|voy a|vamos a|déjame|veamos|ahora (?:voy|vamos)|primero|vou|vamos|deixe-me|deixa eu|agora vou|primeiro|давайте?|посмотрим|я (?:посмотрю|проверю|запущу|прочитаю|начну)|сейчас|сначала|теперь (?:я|посмотрю|проверю)",
    parts:
      "우선|이제|다음으로|확인해 ?보겠|살펴보겠|.{1,80}(?:보겠습니다|하겠습니다|볼게요|할게요)[.!]?$|次に|それでは|では、|.{1,80}(?:確認します|見てみます|してみます|しましょう)。?$|让我|我来|我先|现在(?:让|我)|接下来|首先",
  },
} as const satisfies Record<string, OtherWords>;

/** Patterns for the function of a sentence. Each is matched against the whole sentence. */
export const CUES: Readonly<Record<Cue, RegExp>> = { ...ENGLISH, ...inAllLanguages() };

function inAllLanguages(): Partial<Record<Cue, RegExp>> {
  const cues: Partial<Record<Cue, RegExp>> = {};
  const isFirst = new Set<string>(["conclusion", "report", "deictic", "narration"]);
  for (const [cue, words] of Object.entries({ ...ELSEWHERE, ...AT_START }))
    cues[cue as Cue] = addLanguages(ENGLISH[cue as Cue], words, isFirst.has(cue));
  return cues;
}

import type { OtherWords } from "../text/also-in.ts";

/**
 * What sentences do, by words of German, French, Spanish, Portuguese and Russian, and by parts of words of Korean, Japanese and
 * Chinese. None of the words is one of English, so that English sentences have the cues that they have without this table.
 */
export const ELSEWHERE = {
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

/** Cues that stand at the start of a sentence only. */
export const AT_START = {
  narration: {
    words:
      "ich (?:werde|schaue|prüfe|sehe|lese|starte|suche|beginne|muss)|lass mich|schauen wir|jetzt (?:schaue|prüfe|starte|lese)|zuerst|zunächst|als nächstes|je (?:vais|regarde|vérifie|commence)|voyons|laisse[zr]?-moi|regardons|commençons|d'abord|maintenant,? je|voy a|vamos a|déjame|veamos|ahora (?:voy|vamos)|primero|vou|vamos|deixe-me|deixa eu|agora vou|primeiro|давайте?|посмотрим|я (?:посмотрю|проверю|запущу|прочитаю|начну)|сейчас|сначала|теперь (?:я|посмотрю|проверю)",
    parts:
      "우선|이제|다음으로|확인해 ?보겠|살펴보겠|.{1,80}(?:보겠습니다|하겠습니다|볼게요|할게요)[.!]?$|次に|それでは|では、|.{1,80}(?:確認します|見てみます|してみます|しましょう)。?$|让我|我来|我先|现在(?:让|我)|接下来|首先",
  },
} as const satisfies Record<string, OtherWords>;

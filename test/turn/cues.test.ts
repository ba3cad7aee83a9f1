import { expect, test } from "bun:test";
import { CUES, type Cue } from "../../src/turn/cues.ts";

const cuesOf = (sentence: string) =>
  (Object.keys(CUES) as Cue[]).filter((cue) => cue !== "name" && CUES[cue].test(sentence));

test.each<[string, Cue[]]>([
  ["항상 pnpm을 사용하고 npm은 쓰지 않는다.", ["rule", "firm", "norm"]],
  ["설정이 캐시되기 때문입니다.", ["reason"]],
  ["먼저 설정을 살펴보겠습니다.", ["narration"]],
  ["따라서 잠금 파일을 쓰기로 했다.", ["decision", "conclusion"]],
  ["常に pnpm を使うこと。", ["rule", "firm", "norm"]],
  ["まずログを確認します。", ["narration"]],
  ["したがって SQLite を使う。", ["conclusion"]],
  ["因此我们决定使用SQLite。", ["decision", "conclusion"]],
  ["让我看看配置文件。", ["narration"]],
  ["禁止直接推送到主分支。", ["rule", "firm", "norm"]],
  ["Wir dürfen niemals direkt pushen.", ["rule", "firm", "norm"]],
  ["Ich schaue mir zuerst die Datei an.", ["narration"]],
  ["Daher haben wir SQLite bevorzugt.", ["decision", "conclusion"]],
  ["Il faut toujours passer par une branche.", ["rule", "firm", "norm"]],
  ["Je vais regarder le fichier.", ["narration"]],
  ["Donc on utilise SQLite.", ["conclusion"]],
  ["Siempre hay que usar una rama.", ["rule", "firm", "norm"]],
  ["Voy a revisar el archivo.", ["narration"]],
  ["Por lo tanto usamos SQLite.", ["conclusion"]],
  ["Sempre use uma branch.", ["rule", "firm", "norm"]],
  ["Vou verificar o arquivo.", ["narration"]],
  ["Portanto usamos SQLite.", ["conclusion"]],
  ["Всегда работаем через ветку.", ["rule", "firm", "norm"]],
  ["Сначала посмотрю файл.", ["narration"]],
  ["Итак, берём SQLite.", ["conclusion"]],
  ["Uncomment the solo flag, sans serif, and go on.", []],
])("%s", (sentence, expected) => {
  expect(cuesOf(sentence)).toEqual(expected);
});

/** A sentence for each cue in Korean, Japanese, Chinese, German, French, Spanish, Portuguese and Russian. */
const SENTENCES: Partial<Record<Cue, string[]>> = {
  rule: [
    "항상 pnpm을 사용하고 npm은 쓰지 않는다.",
    "常に pnpm を使うこと。",
    "禁止直接推送到主分支。",
    "Wir dürfen niemals direkt pushen.",
    "Il faut toujours passer par une branche.",
    "Siempre hay que usar una rama.",
    "Sempre use uma branch.",
    "Всегда работаем через ветку.",
  ],
  reason: [
    "설정이 캐시되기 때문입니다.",
    "設定がキャッシュされるためです。",
    "因为配置会被缓存。",
    "Weil die Konfiguration zwischengespeichert wird.",
    "Parce que la configuration est mise en cache.",
    "Porque la configuración se guarda en caché.",
    "Porque a configuração fica em cache.",
    "Потому что настройки кешируются.",
  ],
  decision: [
    "잠금 파일을 쓰기로 결정했다.",
    "ロックファイルを使うことに決めた。",
    "我们决定使用SQLite。",
    "Wir haben uns für SQLite entschieden.",
    "Nous avons décidé d'utiliser SQLite.",
    "Hemos decidido usar SQLite.",
    "Decidimos usar SQLite.",
    "Мы решили использовать SQLite.",
  ],
  finding: [
    "원인은 캐시였습니다.",
    "原因はキャッシュでした。",
    "根本原因是缓存。",
    "Die Ursache war der Cache.",
    "La cause était le cache.",
    "La causa era la caché.",
    "A causa era o cache.",
    "Причина была в кеше.",
  ],
  narration: [
    "먼저 설정을 살펴보겠습니다.",
    "まずログを確認します。",
    "让我看看配置文件。",
    "Ich schaue mir zuerst die Datei an.",
    "Je vais regarder le fichier.",
    "Voy a revisar el archivo.",
    "Vou verificar o arquivo.",
    "Сначала посмотрю файл.",
  ],
  report: [
    "테스트를 추가했습니다.",
    "テストを追加しました。",
    "我已经添加了测试。",
    "Ich habe den Test hinzugefügt.",
    "J'ai ajouté le test.",
    "He añadido la prueba.",
    "Adicionei o teste.",
    "Я добавил тест.",
  ],
  conclusion: [
    "따라서 SQLite를 쓴다.",
    "したがって SQLite を使う。",
    "因此使用SQLite。",
    "Daher nehmen wir SQLite.",
    "Donc on utilise SQLite.",
    "Por lo tanto usamos SQLite.",
    "Portanto usamos SQLite.",
    "Итак, берём SQLite.",
  ],
  guess: [
    "아마 캐시 문제일 것 같습니다.",
    "たぶんキャッシュかもしれません。",
    "也许是缓存的问题。",
    "Vielleicht liegt es am Cache.",
    "C'est peut-être le cache.",
    "Quizás sea la caché.",
    "Talvez seja o cache.",
    "Возможно, дело в кеше.",
  ],
  change: [
    "이전 함수를 삭제했습니다.",
    "古い関数を削除しました。",
    "删除了旧函数。",
    "Die alte Funktion wurde entfernt.",
    "L'ancienne fonction a été supprimée.",
    "La función antigua fue eliminada.",
    "A função antiga foi removida.",
    "Старая функция удалена.",
  ],
  checked: [
    "모든 테스트가 통과합니다.",
    "すべてのテストが通りました。",
    "所有测试都通过了。",
    "Alle Tests sind grün.",
    "Tous les tests passent.",
    "Todas las pruebas pasan.",
    "Todos os testes passam.",
    "Все тесты проходят.",
  ],
  open: [
    "아직 오류 처리가 남았습니다.",
    "エラー処理がまだ残っています。",
    "错误处理还没完成。",
    "Die Fehlerbehandlung fehlt noch.",
    "Il reste à gérer les erreurs.",
    "Todavía no se manejan los errores.",
    "Ainda não tratamos os erros.",
    "Обработка ошибок ещё не готова.",
  ],
};

test.each(
  Object.entries(SENTENCES).flatMap(([cue, sentences]) =>
    sentences.map((sentence) => [cue, sentence] as const),
  ),
)("%s: %s", (cue, sentence) => {
  expect(cuesOf(sentence)).toContain(cue as Cue);
});

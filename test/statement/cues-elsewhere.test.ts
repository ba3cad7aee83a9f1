import { expect, test } from "bun:test";
import { CUES, type Cue } from "../../src/statement/cues.ts";

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

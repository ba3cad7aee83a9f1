import { expect, test } from "bun:test";
import { classify } from "../../../src/recall/classify.ts";
import { type Occasion, occasionOf } from "../../../src/recall/worth/occasion.ts";

const NO_PARTS = { terms: [], fileHints: [], literals: { numbers: [], identifiers: [] } };
const KINDS = ["chore", "reply", "correction", "request", "lookBack"] as const;

/** The kinds of prompt that a prompt is of; a chore from the share on that makes the hook stricter. */
function kindsOf(prompt: string): string[] {
  const occasion: Occasion = occasionOf(prompt, NO_PARTS, ["[User] a"]);
  return KINDS.filter((kind) => occasion[kind] >= (kind === "chore" ? 0.15 : 1));
}

test.each([
  ["yes", ["reply"]],
  ["계속", ["reply"]],
  ["はい、お願いします", ["reply"]],
  ["继续", ["reply"]],
  ["ja, weiter", ["reply"]],
  ["oui", ["reply"]],
  ["sí, adelante", ["reply"]],
  ["sim", ["reply"]],
  ["да", ["reply"]],
  ["변경 사항을 커밋하고 푸시해", ["chore", "request"]],
  ["コミットしてプッシュ", ["chore"]],
  ["提交并推送", ["chore"]],
  ["закоммить и запушь", ["chore"]],
  ["Committe und pushe alles", ["chore"]],
  ["왜 파서가 실패하는지 설명", ["request"]],
  ["パーサーを直して", ["request"]],
  ["为什么解析失败", ["request"]],
  ["Füge einen Zähler hinzu", ["request"]],
  ["Ajoute un compteur", ["request"]],
  ["Agrega un contador", ["request"]],
  ["Adicione um contador", ["request"]],
  ["Добавь счётчик", ["request"]],
  ["지난번 결정이 뭐였지", ["lookBack"]],
  ["前回の結論", ["lookBack"]],
  ["上次的结论", ["lookBack"]],
  ["Das hatten wir vorhin", ["lookBack"]],
  ["la dernière fois", ["lookBack"]],
  ["la última vez", ["lookBack"]],
  ["da última vez", ["lookBack"]],
  ["в прошлый раз", ["lookBack"]],
  ["그게 아니라 이전 걸로 되돌려", ["correction", "lookBack"]],
  ["不对，撤销", ["reply", "correction"]],
  ["Falsch, mach das rückgängig", ["correction"]],
])("%s is %j", (prompt, kinds) => {
  expect(kindsOf(prompt)).toEqual(kinds);
});

test("a long prompt without spaces is no chore for one word of it", () => {
  expect(
    kindsOf("把登录页面的按钮颜色改成蓝色，并且让标题居中，然后检查所有相关的样式和布局问题最后提交"),
  ).toEqual(["request"]);
});

const LANGUAGES = ["ko", "ja", "zh", "de", "fr", "es", "pt", "ru"] as const;

/** What people type, by its kind, in the order of the languages. */
const TYPED: Record<"go on" | Exclude<(typeof KINDS)[number], "reply">, [string, ...string[]][]> = {
  "go on": [
    ["네, 좋아요", "응 그렇게 해줘", "승인합니다", "계속 진행해줘", "다음 단계로 진행해줘", "이어서 해줘"],
    [
      "はい、それでお願いします",
      "いいですね、お願いします",
      "了解です",
      "続けてください",
      "次に進んでください",
      "そのまま続けて",
    ],
    ["好的，就这样", "可以，没问题", "同意", "继续吧", "请继续下一步", "接着做"],
    [
      "ja, mach das so",
      "passt, danke",
      "einverstanden",
      "mach weiter",
      "weiter mit dem nächsten Schritt",
      "bitte fortfahren",
    ],
    [
      "oui, vas-y",
      "d'accord, parfait",
      "ça marche",
      "continue s'il te plaît",
      "passe à l'étape suivante",
      "poursuis",
    ],
    [
      "sí, hazlo",
      "vale, perfecto",
      "de acuerdo",
      "continúa por favor",
      "sigue con el siguiente paso",
      "pasa al siguiente",
    ],
    [
      "sim, pode fazer",
      "perfeito, obrigado",
      "de acordo",
      "continue por favor",
      "pode continuar",
      "vá para o próximo passo",
    ],
    [
      "да, давай",
      "хорошо, спасибо",
      "согласен",
      "продолжай пожалуйста",
      "переходи к следующему шагу",
      "дальше",
    ],
  ],
  chore: [
    ["변경 사항을 커밋하고 푸시해줘", "브랜치를 main에 머지해줘", "테스트 실행해줘"],
    ["変更をコミットしてプッシュして", "ブランチを main にマージして", "テストを実行して"],
    ["把改动提交并推送", "把分支合并到 main", "运行测试"],
    ["Committe die Änderungen und pushe sie", "Merge den Branch in main", "Führe die Tests aus"],
    ["Commite les changements et pousse", "Fusionne la branche dans main", "Lance les tests"],
    ["Haz commit de los cambios y súbelos", "Fusiona la rama con main", "Ejecuta las pruebas"],
    ["Faça commit das mudanças e push", "Mescle a branch na main", "Execute os testes"],
    ["Закоммить изменения и запушь", "Слей ветку в main", "Запусти тесты"],
  ],
  correction: [
    ["아니, 그게 아니라 다른 방식으로", "방금 변경을 되돌려줘"],
    ["違う、そうではなくて別の方法で", "今の変更を元に戻して"],
    ["不对，应该用另一种方式", "撤销刚才的改动"],
    ["Nein, das ist falsch, nimm stattdessen X", "Mach die Änderung rückgängig"],
    ["Non, c'est faux, utilise plutôt X", "Annule ce changement"],
    ["No, está mal, usa X en su lugar", "Deshaz ese cambio"],
    ["Não, está errado, use X em vez disso", "Desfaça essa mudança"],
    ["Нет, это неправильно, используй X вместо этого", "Отмени это изменение"],
  ],
  request: [
    ["카운터를 추가해줘", "왜 파서가 실패하는지 설명해줘"],
    ["カウンターを追加して", "なぜパーサーが失敗するのか説明して"],
    ["添加一个计数器", "解释为什么解析失败"],
    ["Füge einen Zähler hinzu", "Erkläre, warum der Parser scheitert"],
    ["Ajoute un compteur", "Explique pourquoi le parseur échoue"],
    ["Añade un contador", "Explica por qué falla el parser"],
    ["Adicione um contador", "Explique por que o parser falha"],
    ["Добавь счётчик", "Объясни, почему парсер падает"],
  ],
  lookBack: [
    ["지난번에 뭘 결정했지?", "전에 했던 방식"],
    ["前回は何を決めましたか", "以前のやり方"],
    ["上次我们决定了什么", "之前的做法"],
    ["Was haben wir letztes Mal beschlossen?", "wie früher"],
    ["Qu'avons-nous décidé la dernière fois ?", "comme précédemment"],
    ["¿Qué decidimos la última vez?", "como antes"],
    ["O que decidimos da última vez?", "como antes"],
    ["Что мы решили в прошлый раз?", "как раньше"],
  ],
};

/** A prompt that only lets the agent go on gets no recall, or is a reply to it. */
const isOfKind = (prompt: string, kind: string) =>
  kind === "go on"
    ? classify(prompt).trivial || kindsOf(prompt).includes("reply")
    : kindsOf(prompt).includes(kind);

test.each(
  Object.entries(TYPED).flatMap(([kind, by]) =>
    by.flatMap((prompts, at) => prompts.map((prompt) => [LANGUAGES[at], kind, prompt] as const)),
  ),
)("%s, %s: %s", (_language, kind, prompt) => {
  expect(isOfKind(prompt, kind)).toBe(true);
});

test("a reply is known by its first word, not by a part of it", () => {
  expect(kindsOf("运行服务器并告诉我结果")).not.toContain("reply");
});

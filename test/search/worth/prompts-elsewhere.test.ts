import { expect, test } from "bun:test";
import { type Occasion, occasionOf } from "../../../src/search/worth/occasion.ts";

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

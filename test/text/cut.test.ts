import { expect, test } from "bun:test";
import fc from "fast-check";
import { sentenceEnds } from "../../src/text/cut.ts";
import { fcOptions } from "../support/fast-check.ts";

/** The pieces of a text between its ends. */
function pieces(text: string): string[] {
  const ends = [...sentenceEnds(text), text.length];
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
}

test.each<[string, string, string[]]>([
  ["lines", "one\n\ntwo. Three\n", ["one\n\n", "two.", " Three\n"]],
  [
    "the number of a list item",
    "Do:\n1. First. Then\n 12. Last",
    ["Do:\n", "1. First.", " Then\n", " 12. Last"],
  ],
  ["a number at the end of a sentence", "It took 12. Then it ended.", ["It took 12.", " Then it ended."]],
  [
    "Korean, also without spaces",
    "먼저 확인했다. 그리고 고쳤어요!다음은 뭘까요?v1.2 입니다",
    ["먼저 확인했다.", " 그리고 고쳤어요!", "다음은 뭘까요?v1.2 입니다"],
  ],
  ["Chinese and Japanese", "修好了。真的？！「はい。」次へ", ["修好了。", "真的？！", "「はい。」", "次へ"]],
  [
    "abbreviations of German, Spanish and Russian",
    "Nutze z. B. Redis oder z.B. SQLite. Gut, p. ej. Uno. См. файл, т. е. «Да». Всё. и так далее",
    [
      "Nutze z. B. Redis oder z.B. SQLite.",
      " Gut, p. ej. Uno.",
      " См. файл, т. е. «Да».",
      " Всё. и так далее",
    ],
  ],
  ["Spanish questions", "Hecho. ¿Algo más? ¡Sí!", ["Hecho.", " ¿Algo más?", " ¡Sí!"]],
  ["a stop within a sentence", "See a.ts. and e.g. Redis", ["See a.ts. and e.g. Redis"]],
])("splits %s", (_what, text, expected) => {
  expect(pieces(text)).toEqual(expected);
});

test("ends rise, and none is that of the text", () => {
  const unit = fc.constantFrom("a", "B", " ", ".", "?", ")", "\n", "。", "1", "e.g.");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      const ends = [0, ...sentenceEnds(text), text.length];
      expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b).concat(text === "" ? [0] : []));
    }),
    fcOptions(),
  );
});

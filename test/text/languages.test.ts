import { expect, test } from "bun:test";
import { isOtherThanEnglish } from "../../src/text/languages.ts";

test.each([
  "업로드 한도를 얼마로 정했지?",
  "`parseInvoice`에서 환불을 처리하도록 바꿔 줘",
  "アップロードの上限はいくつに決めた?",
  "上传的限制定为多少？",
  "Warum schlägt der Build fehl?",
  "Pourquoi est-ce que le build échoue ?",
  "¿Por qué falla la compilación?",
  "Por que a compilação falha no Windows?",
  "Почему падает сборка?",
  "Mach aus src/of/the/parser.ts zwei Dateien",
])("%s is in another language", (text) => {
  expect(isOtherThanEnglish(text)).toBe(true);
});

test.each([
  "Why does the build fail?",
  "rename the option to `für-alle` in the docs",
  "The label says 한도, please make it longer and run the tests again",
  "see https://example.com/de/der/die/das",
  "parseInvoice src/invoice/parser.ts 413",
  "",
])("%s is not", (text) => {
  expect(isOtherThanEnglish(text)).toBe(false);
});

import { expect, test } from "bun:test";
import { cutAtWord, shorten } from "../../src/text/cut.ts";

test.each([
  ["one two three", 9, "one two…"],
  ["日本語の文章です", 5, "日本語の…"],
  ["ab e\u0301e\u0301e\u0301e\u0301", 7, "ab e\u0301…"],
  ["ab 👩‍💻👩‍💻", 8, "ab…"],
])("%j is cut to %d as %j", (text, chars, expected) => {
  expect(cutAtWord(text, chars)).toBe(expected);
});

test("a sentence in Chinese is kept whole where it fits", () => {
  expect(shorten("我们使用数据库。因为它很快而且简单", 14)).toBe("我们使用数据库。");
});

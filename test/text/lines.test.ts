import { expect, test } from "bun:test";
import fc from "fast-check";
import { powershellWord, shWord } from "../../src/text/lines.ts";
import { fcOptions } from "../support/fast-check.ts";

/** Characters that shells treat specially, and others. */
const word = fc.string({
  unit: fc.constantFrom(..."ab /\\'\"$`%&^!|<>();*?~#{}[]\n\u2019\u201b-=é"),
  minLength: 1,
});

test.skipIf(!Bun.which("sh"))("sh reads each quoted word as it was", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const line = `printf '%s\\0' ${words.map(shWord).join(" ")}`;
      const { stdout, exitCode } = Bun.spawnSync(["sh", "-c", line]);
      expect({ exitCode, words: stdout.toString() }).toEqual({
        exitCode: 0,
        words: words.map((each) => `${each}\0`).join(""),
      });
    }),
    fcOptions(0.2),
  );
});

/** Reads one quoted word as PowerShell's manual says: two quotes, of whichever form, are the second of them. */
function unquoted(text: string): string {
  const [, inner] =
    /^['\u2018-\u201b]((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)['\u2018-\u201b]$/.exec(text) ?? [];
  if (inner === undefined) return expect.unreachable(text);
  return inner.replace(/['\u2018-\u201b](['\u2018-\u201b])/g, "$1");
}

test("PowerShell reads each quoted word as it was", () => {
  expect(powershellWord("C:\\Users\\O'Neil & Söhne\\100% $env:X `!^")).toBe(
    "'C:\\Users\\O''Neil & Söhne\\100% $env:X `!^'",
  );
  fc.assert(
    fc.property(word, (each) => {
      expect(unquoted(powershellWord(each))).toBe(each);
    }),
    fcOptions(),
  );
});

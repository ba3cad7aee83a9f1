import { expect, test } from "bun:test";
import { shellCommands } from "../../../../src/ingest/transcript/tools/shell-words.ts";

/** Words of each command: `'x'` was quoted, `>x` is the target of a redirection. */
const shown = (line: string) =>
  shellCommands(line).map(({ words }) =>
    words.map(({ text, quoted, redirect }) => `${redirect ? ">" : ""}${quoted ? `'${text}'` : text}`),
  );

test.each<[line: string, commands: string[][]]>([
  ["a b", [["a", "b"]]],
  [" a\tb\r", [["a", "b"]]],
  ["a;b&&c|d\ne", [["a"], ["b"], ["c"], ["d"], ["e"]]],
  ["(a)&", [["a"]]],
  ["a >b c", [["a", ">b", "c"]]],
  ["a > b < c", [["a", ">b", ">c"]]],
  ["a >> b", [["a", ">b"]]],
  ["a >| b", [["a", ">b"]]],
  ["a 2> b", [["a", ">b"]]],
  ["a 2>&1 b", [["a", "1", "b"]]],
  ["a >; b", [["a"], ["b"]]],
  ["a 22> b", [["a", "22", ">b"]]],
  ["a '2'> b", [["a", "'2'", ">b"]]],
  ["'a b' c", [["'a b'", "c"]]],
  ["a'b'\"c\"d", [["'abcd'"]]],
  [String.raw`"a\"b\\c\$d\`e"`, [[`'a"b\\c$d\`e'`]]],
  [String.raw`"a\nb"`, [[String.raw`'a\nb'`]]],
  [String.raw`'a\' b`, [[String.raw`'a\'`, "b"]]],
  ['"a\\\nb"', [["'a\nb'"]]],
  ['a\\ b "" c', [["'a b'", "''", "c"]]],
  ["a\\\nb", [["'ab'"]]],
  ["a\\", [["'a'"]]],
  ["a 'b c", [["a"]]],
  ['a "b\\" c', [["a"]]],
  ["a #b\nc#d", [["a"], ["c#d"]]],
  ["a <<X b\n c\n X \nd", [["a", "b"], ["d"]]],
  ["a <<'X' <<-Y\nc\nX\nd\nY\ne", [["a"], ["e"]]],
  ["é ü", [["é", "ü"]]],
  ["", []],
  [" ;; ", []],
])("shellCommands(%j)", (line, commands) => {
  expect(shown(line)).toEqual(commands);
});

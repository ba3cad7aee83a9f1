import { expect, test } from "bun:test";
import fc from "fast-check";
import { errorLines, errorTemplate, everyErrorLine } from "../../../../src/ingest/transcript/cures/match.ts";
import { fcOptions } from "../../../support/fast-check.ts";

const textsOf = (output: string) => errorLines(output).map(({ text }) => text);

test.each<[string, string, string[]]>([
  [
    "names what is missing, and leaves out that the script failed",
    'Exit code 1\n$ bun run seed\nerror: database "orders" does not exist\nerror: script "seed" exited with code 1',
    ['error: database "orders" does not exist'],
  ],
  ["has one line", "Exit code 127\nbash: rake: command not found", ["bash: rake: command not found"]],
  ["is coloured", "\u001b[31merror\u001b[0m: no such column: due", ["error: no such column: due"]],
  [
    "leads to the next line",
    "The path is ignored by one of your files:\ndist",
    ["The path is ignored by one of your files: dist"],
  ],
  [
    "says it twice",
    "error: port 4001 is taken\nerror: port 4002 is taken\nmore\nlines",
    ["error: port 4001 is taken"],
  ],
  ["says nothing but that it failed", "Exit code 2\n3 errors\nCommand failed with exit code 2", []],
  ["is a mistake in the call", "<tool_use_error>String to replace not found in file.</tool_use_error>", []],
  ["was refused by the user", "The user doesn't want to proceed with this tool use.", []],
  [
    "is a failed check of a test run",
    "bun test v1.4.5\n(fail) sums > adds\nExpected: 3\nReceived: 4\n 2 pass\n 1 fail",
    [],
  ],
  [
    "is a test run that cannot begin",
    "bun test v1.4.5\nerror: Cannot find module 'left-pad' from '/a/b.ts'\n 0 pass\n 1 fail",
    ["error: Cannot find module 'left-pad' from '/a/b.ts'"],
  ],
  [
    "is code that is not formatted",
    "× Formatter would have printed the following content:\n\n 1 | a\n 2 | b",
    [],
  ],
  ["is empty", "", []],
])("an output that %s", (_what, output, lines) => {
  expect(textsOf(output)).toEqual(lines);
});

test("what a formatter says counts as a failure all the same", () => {
  expect(everyErrorLine("[FORMAT] Code is not formatted.").map(({ text }) => text)).toEqual([
    "[FORMAT] Code is not formatted.",
  ]);
});

test.each([
  ["error in /home/ada/app/src/a.ts:10:4: no such file", "error in PATH no such file"],
  ["error in D:\\work\\app\\a.go:10: no such file", "error in PATH no such file"],
  ["timeout of 3000 ms at 2026-03-01T10:00:00Z", "timeout of N ms at TIME"],
  ["cannot reach https://db.example.com:5432/orders", "cannot reach URL"],
  ["fault at 0x7ffe in 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "fault at HEX in HEX"],
])("the form of %p", (line, form) => {
  expect(errorTemplate(line)).toBe(form);
});

test("takes outputs of any kind, and its lines are in them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (output) => {
      const plain = Bun.stripANSI(output).replaceAll("\\n", "\n");
      for (const { text } of errorLines(output))
        for (const part of text.split(/(?<=files?:) /)) expect(plain).toContain(part.trim());
    }),
    fcOptions(),
  );
});

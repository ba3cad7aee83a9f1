import { expect, test } from "bun:test";
import { applyMutant, mutantsOf } from "./mutants.ts";

const changed = (source: string) => mutantsOf(source).map((mutant) => applyMutant(source, mutant));

test.each<[string, string[]]>([
  ["let a = b < c;", ["let a = b <= c;", "let a = b >= c;"]],
  ["let a = !b;", ["let a = b;"]],
  ["let a = b ?? c;", ["let a = b && c;"]],
  [
    "let a = [2, 200, 0.5, true];",
    [
      "let a = [3, 200, 0.5, true];",
      "let a = [2, 20, 0.5, true];",
      "let a = [2, 200, 0.05, true];",
      "let a = [2, 200, 0.5, false];",
    ],
  ],
  ["let a = b ? c : d;", ["let a = false ? c : d;", "let a = true ? c : d;"]],
  ["a.some(b);", [";", "a.every(b);"]],
  ["i++;", [";", "i--;"]],
  ["const f = () => a;", ["const f = () => undefined as never;"]],
])("%s", (source, expected) => {
  expect(changed(source).sort()).toEqual([...expected].sort());
});

test("types, imports and texts are left alone", () => {
  const source =
    'import a from "a";\ntype B = 1 | 2;\ninterface C { d: 3 }\nconst e: 4 | null = f as 5;\nlet g = "h < i";\n';
  expect(mutantsOf(source)).toEqual([]);
});

test("a mutant knows its line", () => {
  expect(mutantsOf("a;\n\nb = c + d;\n").map(({ line }) => line)).toEqual([1, 3, 3]);
});

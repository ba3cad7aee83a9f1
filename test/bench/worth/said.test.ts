import { expect, test } from "bun:test";
import { isSaid, portableOffset } from "./said.ts";

test("an offset is the same wherever the project lies", () => {
  const at = (project: string) => {
    const text = `In ${project}/a.ts and ${project}/b.ts the tide is late.`;
    return portableOffset(text, text.indexOf("the tide"), project);
  };
  expect(at("/dev/tide")).toBe("In ./a.ts and ./b.ts ".length);
  expect(at("/home/somebody/tide")).toBe(at("/dev/tide"));
});

test("a sentence is said if most of it lies in a range", () => {
  expect(isSaid([10, 20], [[12, 30]])).toBe(true);
  expect(
    isSaid(
      [10, 20],
      [
        [10, 14],
        [16, 20],
      ],
    ),
  ).toBe(true);
  expect(isSaid([10, 20], [[13, 30]])).toBe(false);
  expect(isSaid([10, 20], [])).toBe(false);
});

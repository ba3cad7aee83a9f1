import { expect, test } from "bun:test";
import { distinctNames } from "../../src/project/memories.ts";

test.each([
  [["/home/ada/api"], ["api"]],
  [
    ["/home/ada/api", "/home/ada/web"],
    ["api", "web"],
  ],
  [
    ["/home/ada/work/web", "/home/ada/private/web"],
    ["work/web", "private/web"],
  ],
  [
    ["/a/x/web", "/b/x/web", "/c/web"],
    ["a/x/web", "b/x/web", "c/web"],
  ],
  [
    ["/web", "/home/web"],
    ["/web", "home/web"],
  ],
  [["/"], ["/"]],
])("projects at %p are called %p", (roots, names) => {
  expect([...distinctNames(roots).values()]).toEqual(names);
});

import { expect, test } from "bun:test";
import { type PathFilter, readPath } from "../../src/store/filter.ts";

test.each<[string, string, PathFilter]>([
  [
    "a path, as the project and the current directory see it",
    "store.ts",
    {
      exact: ["src/store.ts", "/app/src/store.ts", "store.ts"],
      below: ["src/store.ts/", "/app/src/store.ts/", "store.ts/"],
      suffix: "store.ts",
    },
  ],
  ["a directory", "db/", { exact: [], below: ["src/db/", "/app/src/db/", "db/"], suffix: null }],
  [
    "a path that starts here",
    "./store.ts",
    {
      exact: ["src/store.ts", "/app/src/store.ts"],
      below: ["src/store.ts/", "/app/src/store.ts/"],
      suffix: null,
    },
  ],
  [
    "a path that starts above",
    "../README.md",
    { exact: ["README.md", "/app/README.md"], below: ["README.md/", "/app/README.md/"], suffix: null },
  ],
  [
    "an absolute path inside the project",
    "/app/src/store.ts",
    {
      exact: ["src/store.ts", "/app/src/store.ts"],
      below: ["src/store.ts/", "/app/src/store.ts/"],
      suffix: null,
    },
  ],
  [
    "an absolute path outside it",
    "/etc/hosts",
    { exact: ["/etc/hosts"], below: ["/etc/hosts/"], suffix: null },
  ],
  ["the project itself", "..", { exact: ["/app"], below: ["", "/app/"], suffix: null }],
  [
    "separators of Windows",
    "db\\schema.ts",
    {
      exact: ["src/db/schema.ts", "/app/src/db/schema.ts", "db/schema.ts"],
      below: ["src/db/schema.ts/", "/app/src/db/schema.ts/", "db/schema.ts/"],
      suffix: "db/schema.ts",
    },
  ],
  [
    "a web address",
    "https://example.org/a/",
    { exact: ["https://example.org/a/", "https://example.org/a"], below: [], suffix: null },
  ],
])("readPath reads %s", (_, typed, expected) => {
  expect(readPath(typed, "/app/src", ["/app"])).toEqual(expected);
});

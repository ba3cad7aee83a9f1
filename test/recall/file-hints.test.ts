import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fileHints } from "../../src/recall/file-hints.ts";

describe("fileHints", () => {
  test.each([
    ["why did we change ingest.rs?", ["ingest.rs"]],
    ["look at src/search/prompt-ranking.ts:42:7, please", ["src/search/prompt-ranking.ts"]],
    ['see `./src/a.ts`, (lib/b.py) and "docs/c.md".', ["src/a.ts", "lib/b.py", "docs/c.md"]],
    ["what is in @src/hooks/prompt.rs", ["src/hooks/prompt.rs"]],
    ["the @prisma/client package and @types/node", []],
    ["import { x } from '@angular/core/testing'", []],
    ["read https://github.com/a/b/blob/main/c.ts now", []],
    ["as on github.com/a/b and www.x.test/y.html", []],
    ["the folder src/search has it", ["src/search"]],
    ["yes and/or no, 24/7, I/O, 2024/01/02", []],
    ["the Dockerfile and the Makefile.", ["Dockerfile", "Makefile"]],
    ["set it in .env and .gitignore", [".env", ".gitignore"]],
    ["use Node.js or Next.js 3.5, e.g. like that", []],
    ["src\\win\\file.cs fails", ["src/win/file.cs"]],
    ["/home/me/app/src/x.go fails", ["/home/me/app/src/x.go"]],
    ["app/[slug]/page.tsx and (auth)/login.tsx", ["app/[slug]/page.tsx", "(auth)/login.tsx"]],
    ["../other/lib.rs#L10-L20", ["other/lib.rs"]],
    ["foo.ts foo.ts", ["foo.ts"]],
    ["설정은 src/config.ts 에 있어", ["src/config.ts"]],
    ["a/b.ts, c.tar.gz/d, x/y/z and ab/cde", ["a/b.ts", "x/y/z"]],
    [".ts and _.ts and -.ts", ["_.ts"]],
    ["", []],
  ])("%j", (prompt, hints) => {
    expect(fileHints(prompt)).toEqual(hints);
  });

  test("gives a bounded number of hints, without empty ones, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("a", "/", ".", "ts", " ", "(", ")", "[", "@", ":", "\\"),
          maxLength: 80,
        }),
        (prompt) => {
          const hints = fileHints(prompt);
          expect(hints.length).toBeLessThanOrEqual(20);
          expect(hints.every((hint) => hint.trim() !== "")).toBe(true);
        },
      ),
    );
  });
});

import { describe, expect, test } from "bun:test";
import { enrichQuery } from "../../src/search/enrich.ts";

describe("enrichQuery", () => {
  test("adds file names, without their folders, newest first", () => {
    expect(
      enrichQuery("why was this changed?", {
        files: ["src/enable.rs", "git.rs", "a\\b\\query.rs"],
        urls: [],
      }),
    ).toBe("why was this changed?\n\n[Context: recently touched files: enable.rs, git.rs, query.rs]");
  });

  test("adds URLs inside the same brackets", () => {
    expect(enrichQuery("why?", { files: ["a.ts"], urls: ["https://x.test/a", "https://y.test"] })).toBe(
      "why?\n\n[Context: recently touched files: a.ts | URLs: https://x.test/a, https://y.test]",
    );
    expect(enrichQuery("why?", { files: [], urls: ["https://x.test/a"] })).toBe(
      "why?\n\n[Context: URLs: https://x.test/a]",
    );
  });

  test("leaves the prompt as it is when nothing was touched", () => {
    expect(enrichQuery("why?", { files: [], urls: [] })).toBe("why?");
  });

  test("names at most ten files and five URLs, each once", () => {
    const files = Array.from({ length: 12 }, (_, i) => `src/f${i}.ts`);
    const urls = Array.from({ length: 7 }, (_, i) => `https://x.test/${i}`);
    expect(enrichQuery("q", { files, urls })).toBe(
      `q\n\n[Context: recently touched files: ${files
        .slice(0, 10)
        .map((f) => f.slice(4))
        .join(", ")} | URLs: ${urls.slice(0, 5).join(", ")}]`,
    );
    expect(enrichQuery("q", { files: ["a/mod.rs", "b/mod.rs"], urls: [] })).toBe(
      "q\n\n[Context: recently touched files: mod.rs]",
    );
  });
});

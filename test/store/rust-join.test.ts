import { expect, test } from "bun:test";
import fc from "fast-check";
import { joinChunks } from "../../src/store/sqlite/file/rust.ts";

test.each([
  { name: "one chunk", chunks: ["All of it."], text: "All of it." },
  { name: "nothing in common", chunks: ["First part.", "Second part."], text: "First part.\n\nSecond part." },
  {
    name: "an overlap as it was",
    chunks: ["Alpha beta gamma delta epsilon.", "gamma delta epsilon. Zeta eta."],
    text: "Alpha beta gamma delta epsilon. Zeta eta.",
  },
  {
    name: "an overlap that was lower-cased, spaced and stripped of accents",
    chunks: ["Nous avons réglé l'Éditeur (main.rs).", "l ' editeur ( main . rs ). Et puis ?"],
    text: "Nous avons réglé l'Éditeur (main.rs). Et puis ?",
  },
  {
    name: "a match too short to be an overlap",
    chunks: ["It ends with a", "a starts it"],
    text: "It ends with a\n\na starts it",
  },
])("joins $name", ({ chunks, text }) => {
  expect(joinChunks(chunks).text).toBe(text);
});

test("never loses a word, whatever the overlap", () => {
  const words = fc.array(fc.stringMatching(/^[a-zA-Zéß0-9]{1,9}$/), { minLength: 10, maxLength: 60 });
  fc.assert(
    fc.property(words, fc.nat(50), fc.nat(20), (all, cut, overlap) => {
      const at = Math.min(cut, all.length);
      const first = all.slice(0, at);
      const second = [
        ...first.slice(Math.max(0, at - overlap)).map((word) => word.toLowerCase()),
        ...all.slice(at),
      ];
      const { text } = joinChunks([first.join(" "), second.join(" ")]);
      const found = text.toLowerCase().split(/\s+/);
      for (const word of all) expect(found).toContain(word.toLowerCase());
    }),
  );
});

test("returns the position of each chunk", () => {
  const chunks = ["Alpha beta gamma delta epsilon.", "gamma delta epsilon. Zeta eta."];
  const { text, spans } = joinChunks(chunks);
  expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(chunks);
});

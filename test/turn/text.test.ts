import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mapText } from "../../src/turn/grammar.ts";
import {
  assistantText,
  cutBefore,
  findPart,
  isFollowedBy,
  isLabelled,
  labelStarts,
  listSections,
  openingText,
  openingWords,
  partText,
  withoutForward,
} from "../../src/turn/parts.ts";
import { composeText, type PartContent, type TurnText } from "../../src/turn/text.ts";
import { firstWords } from "../../src/turn/title.ts";
import { pieces } from "./pieces.ts";

const whole = composeText([
  { kind: "prompt", text: "Why?" },
  { kind: "thinking", text: "Hm." },
  { kind: "answer", text: "Because.\n\n[Tools] is what the label says." },
  { kind: "answer", text: "And so on." },
  { kind: "tools", text: "Read(a.ts)" },
  { kind: "errors", text: "exit 1" },
  { kind: "forward", text: "Thanks\n\n[User] they said" },
]);

const contents = ({ text, parts }: TurnText) =>
  parts.map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe("mapText", () => {
  test("gives the parts of just the text that it returns, also where another change would find more", () => {
    const shorter = (text: string) => text.replace("so ", "");
    const turn = composeText([
      { kind: "prompt", text: "so so so, why?" },
      { kind: "answer", text: "so it is" },
    ]);
    const mapped = mapText(turn, shorter);
    expect(mapped.text).toBe("[User] so so, why?\n\n[Assistant] so it is");
    expect(contents(mapped)).toEqual([
      ["prompt", "so so, why?"],
      ["answer", "so it is"],
    ]);
  });

  test("finds parts again that were measured in another text", () => {
    const text = "[User] Why?\n\n[Assistant] Because.";
    const moved = [
      { kind: "prompt", start: 7, end: 19 },
      { kind: "answer", start: 33, end: 50 },
    ] as const;
    expect(contents(mapText({ text, parts: moved }, (given) => given))).toEqual([
      ["prompt", "Why?"],
      ["answer", "Because."],
    ]);
  });
});

describe("composeText", () => {
  test("gives each section one label, merges neighbours of one kind, and skips empty parts", () => {
    expect(whole.text).toBe(
      "[User] Why?\n\n[Assistant] Hm.\n\nBecause.\n\n[Tools] is what the label says.\n\nAnd so on.\n\n[Tools] Read(a.ts)\n\n[Errors] exit 1\n\n[User] Thanks\n\n[User] they said",
    );
    expect(contents(whole)).toEqual([
      ["prompt", "Why?"],
      ["thinking", "Hm."],
      ["answer", "Because.\n\n[Tools] is what the label says.\n\nAnd so on."],
      ["tools", "Read(a.ts)"],
      ["errors", "exit 1"],
      ["forward", "Thanks\n\n[User] they said"],
    ]);
    expect(composeText([{ kind: "prompt", text: "" }])).toEqual({ text: "", parts: [] });
  });

  test("the parts are in order within the text and hold what was given, whatever it quotes", () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const { text, parts } = composeText(given);
        let end = 0;
        for (const part of parts) {
          expect(part.start).toBeGreaterThanOrEqual(end);
          expect(part.end).toBeGreaterThan(part.start);
          end = part.end;
        }
        expect(end).toBe(text.length);
        expect(contents({ text, parts })).toEqual(merged(given));
      }),
    );
  });
});

function merged(given: readonly PartContent[]): string[][] {
  const found: string[][] = [];
  for (const { kind, text } of given) {
    const last = found.at(-1);
    if (last?.[0] === kind) last[1] += `\n\n${text}`;
    else found.push([kind, text]);
  }
  return found;
}

describe("parts", () => {
  test("are found by kind, and as sections", () => {
    expect(findPart(whole, "tools")).toEqual({ kind: "tools", start: 93, end: 103 });
    expect(partText(whole, "errors")).toBe("exit 1");
    expect(findPart(composeText([]), "tools")).toBeNull();
    expect(partText(composeText([]), "tools")).toBeNull();
    expect(assistantText(whole)).toBe("Hm.\n\nBecause.\n\n[Tools] is what the label says.\n\nAnd so on.");
    expect(assistantText(composeText([{ kind: "tools", text: "x" }]))).toBeNull();
    const kinds = ["thinking", "answer", "thinking", "answer"] as const;
    expect(assistantText(composeText(kinds.map((kind, at) => ({ kind, text: `${at}` }))))).toBe(
      "0\n\n1\n\n2\n\n3",
    );
    expect(
      listSections(whole).map(({ kind, start, end }) => [kind, whole.text.slice(start, end).slice(0, 7)]),
    ).toEqual([
      ["prompt", "Why?"],
      ["thinking", "Hm.\n\nBe"],
      ["tools", "Read(a."],
      ["errors", "exit 1"],
      ["forward", "Thanks\n"],
    ]);
  });

  test("labels are at the starts of sections, not where they are quoted", () => {
    const starts = [...labelStarts(whole)];
    expect(starts.map((at) => whole.text.slice(at, at + 8))).toEqual([
      "[User] W",
      "[Assista",
      "[Tools] ",
      "[Errors]",
      "[User] T",
    ]);
    const unlabelled: TurnText = { text: "Just words", parts: [{ kind: "answer", start: 0, end: 10 }] };
    expect(labelStarts(unlabelled)).toEqual(new Set());
    expect(listSections(unlabelled).map((section) => isLabelled(unlabelled, section))).toEqual([false]);
  });

  test("the opening is the prompt, or what comes first", () => {
    expect(openingText(whole)).toBe("[User] Why?");
    expect(openingWords(whole)).toBe("Why?");
    const work = composeText([
      { kind: "thinking", text: "Hm." },
      { kind: "answer", text: "So." },
    ]);
    expect([openingText(work), openingWords(work)]).toEqual(["[Assistant] Hm.\n\nSo.", "Hm.\n\nSo."]);
    const tools = composeText([{ kind: "tools", text: "Read(a)" }]);
    expect([openingText(tools), openingWords(tools)]).toEqual(["[Tools] Read(a)", "[Tools] Read(a)"]);
    expect(openingText({ text: "no parts", parts: [] })).toBe("no parts");
  });

  test("the first words are those of the prompt, on one line, from the head of the text", () => {
    const asked = composeText([
      { kind: "prompt", text: "Why\n\n[Assistant] is\tquoted?" },
      { kind: "answer", text: "So." },
    ]);
    expect(firstWords(asked)).toBe("Why [Assistant] is quoted?");
    expect(firstWords({ text: asked.text.slice(0, 9), parts: asked.parts })).toBe("Wh");
    expect(firstWords(composeText([{ kind: "answer", text: "So." }]))).toBe("[Assistant] So.");
    expect(firstWords({ text: "words", parts: [] })).toBe("words");
  });
});

describe("cutting", () => {
  test("takes the prompt that follows out, and nothing else", () => {
    const left = withoutForward(whole);
    expect(left.text).toBe(whole.text.slice(0, whole.text.indexOf("\n\n[User] Thanks")));
    expect(left.parts).toEqual(whole.parts.slice(0, -1));
    expect(withoutForward(left)).toBe(left);
    expect(withoutForward(composeText([{ kind: "forward", text: "Next" }]))).toEqual({ text: "", parts: [] });
  });

  test("cuts before a part, with the blank line and the label", () => {
    const tools = findPart(whole, "tools");
    expect(cutBefore(whole, tools?.start ?? 0).text.endsWith("And so on.")).toBe(true);
    expect(cutBefore(whole, 0)).toEqual({ text: "", parts: [] });
  });

  test("a turn is followed by the turn with its forward prompt, shortened or not", () => {
    const next = composeText([
      { kind: "prompt", text: "Thanks, now the other file" },
      { kind: "answer", text: "Done" },
    ]);
    const before = (text: string) =>
      composeText([
        { kind: "answer", text: "So." },
        { kind: "forward", text },
      ]);
    expect(isFollowedBy(before("Thanks, now the other file"), next)).toBe(true);
    expect(isFollowedBy(before("Thanks, now..."), next)).toBe(true);
    expect(isFollowedBy(before("Thanks"), next)).toBe(true);
    expect(isFollowedBy(before("Thanks..., no"), next)).toBe(false);
    expect(isFollowedBy(before("Thanks, then..."), next)).toBe(false);
    expect(isFollowedBy(before("now"), next)).toBe(false);
    expect(isFollowedBy(composeText([{ kind: "answer", text: "So." }]), next)).toBe(false);
    expect(isFollowedBy(before("So."), composeText([{ kind: "answer", text: "So." }]))).toBe(false);
  });
});

describe("mapText", () => {
  test("gives back what does not change", () => {
    expect(mapText(whole, (text) => text)).toEqual(whole);
  });

  test("a change of a part moves the parts after it", () => {
    const changed = mapText(whole, (text) => text.replaceAll("Because", "[redacted]"));
    expect(contents(changed)).toEqual(
      contents(whole).map(([kind, text]) => [kind ?? "", (text ?? "").replaceAll("Because", "[redacted]")]),
    );
  });

  test("when a change spans two parts, the text is that of the whole change", () => {
    const changed = mapText(whole, (text) => text.replace(/Hm\.[\s\S]*on\./, "[redacted]"), ["Read(a.ts)"]);
    expect(contents(changed)).toEqual([
      ["prompt", "Why?"],
      ["answer", "[redacted]"],
      ["tools", "Read(a.ts)"],
      ["errors", "exit 1"],
      ["forward", "Thanks\n\n[User] they said"],
    ]);
  });
});

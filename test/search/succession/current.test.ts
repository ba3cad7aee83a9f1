import { describe, expect, test } from "bun:test";
import { fuse, type Scored } from "../../../src/search/fusion.ts";
import { current } from "../../../src/search/succession/current.ts";
import { aCandidate, aQuery, aTurn } from "../made.ts";

const QUESTION = "how are print jobs handed to the printers?";
const TEXTS: Record<number, [date: string, text: string]> = {
  1: [
    "2026-03-01",
    "[User] How do print jobs get to the printers?\n\n[Assistant] RabbitMQ hands print jobs over.",
  ],
  2: [
    "2026-05-03",
    "[User] Tidy up.\n\n[Assistant] Print jobs get to the printers by the print_jobs table now. RabbitMQ is gone.",
  ],
  3: [
    "2026-04-01",
    "[User] Printers run out of paper.\n\n[Assistant] RabbitMQ delivers it again when the roll was changed, so nobody has to send print jobs twice.",
  ],
  4: ["2026-06-01", "[User] Colour of the door?\n\n[Assistant] Green, as ever."],
};

function scored(...ids: number[]): Scored[] {
  const turns = new Map(
    ids.map((turnId) => {
      const [date, text] = TEXTS[turnId] ?? ["", ""];
      return [turnId, aTurn({ turnId, text, createdAt: `${date}T10:00:00.000Z` })];
    }),
  );
  const candidates = ids.map((turnId) => aCandidate({ turnId, distance: 0.2 }));
  return fuse(candidates, { turns, passages: new Map() }, aQuery({ text: QUESTION }), null).sort(
    (a, b) => ids.indexOf(a.turn.turnId) - ids.indexOf(b.turn.turnId),
  );
}

function answer(best: number[], pool: number[], limit = 5, known: number[] = []) {
  const all = scored(...pool);
  const chosen = all.filter(({ turn }) => best.includes(turn.turnId));
  const isKnown = ({ turn }: Scored) => known.includes(turn.turnId);
  return current(chosen, all, QUESTION, { limit, isKnown }).map(({ scored, replacedBy, later }) => [
    scored.turn.turnId,
    replacedBy?.turn.turnId ?? null,
    later?.turn.turnId ?? null,
  ]);
}

describe("current", () => {
  test("adds the turn that replaced one of the answer", () => {
    expect(answer([1], [1, 2])).toEqual([
      [1, 2, null],
      [2, null, null],
    ]);
  });

  test("keeps the later one where there is no room for both", () => {
    expect(answer([1], [1, 2], 1)).toEqual([[2, null, null]]);
  });

  test("leaves out what was replaced by a turn that the reader knows", () => {
    expect(answer([1, 4], [1, 2, 4], 5, [2])).toEqual([[4, null, null]]);
  });

  test("names a later turn on the matter without taking it for a replacement", () => {
    expect(answer([1], [1, 3])).toEqual([[1, null, 3]]);
  });

  test("leaves alone what was said about something else", () => {
    expect(answer([2], [2, 4])).toEqual([[2, null, null]]);
    expect(answer([4, 2], [4, 2])).toEqual([
      [4, null, null],
      [2, null, null],
    ]);
  });
});

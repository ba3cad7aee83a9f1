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
  5: [
    "2026-06-02",
    "[User] Tidy up.\n\n[Assistant] The table is polled every second.\n\n[Tools] Edit(src/queue.ts)",
  ],
  6: [
    "2026-02-01",
    "[User] Where are jobs handed over?\n\n[Assistant] In one place.\n\n[Tools] Edit(src/queue.ts)",
  ],
  7: ["2026-06-03", "[User] Why so slow?\n\n[Assistant] The consumer left queue.ts alone."],
};
/** How far from the question; 0.2 for the others. */
const DISTANCES: Record<number, number> = { 4: 0.4, 5: 0.4, 7: 0.4 };

function scored(ids: number[], session?: string): Scored[] {
  const turns = new Map(
    ids.map((turnId) => {
      const [date, text] = TEXTS[turnId] ?? ["", ""];
      const toolSummary = /\[Tools\] (.+)/.exec(text)?.slice(1) ?? [];
      return [
        turnId,
        aTurn({
          ...{ turnId, text, toolSummary, createdAt: `${date}T10:00:00.000Z` },
          sessionId: session ?? `session-${turnId}`,
        }),
      ];
    }),
  );
  const candidates = ids.map((turnId) => aCandidate({ turnId, distance: DISTANCES[turnId] ?? 0.2 }));
  return fuse(candidates, { turns, passages: new Map() }, aQuery({ text: QUESTION }), null).sort(
    (a, b) => ids.indexOf(a.turn.turnId) - ids.indexOf(b.turn.turnId),
  );
}

function answer(best: number[], pool: number[], limit = 5, known: number[] = [], session?: string) {
  const all = scored(pool, session);
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

  test("names a later turn that changed the same file, however far from the question its words are", () => {
    expect(answer([6], [6, 5])).toEqual([[6, null, 5]]);
    expect(answer([6], [6, 4, 4, 4, 4, 4, 4, 4, 4, 5])).toEqual([[6, null, 5]]);
  });

  test("names a later turn that names the file", () => {
    expect(answer([6], [6, 7])).toEqual([[6, null, 7]]);
  });

  test("leaves out a later turn of the same session that changed the file", () => {
    expect(answer([6], [6, 5], 5, [], "the same")).toEqual([[6, null, null]]);
  });

  test("leaves alone what was said about something else", () => {
    expect(answer([2], [2, 4])).toEqual([[2, null, null]]);
    expect(answer([4, 2], [4, 2])).toEqual([
      [4, null, null],
      [2, null, null],
    ]);
  });
});

import { expect, test } from "bun:test";
import { limitTime } from "../../src/recall/time-limit.ts";
import { aTurn } from "./made.ts";

const said = (n: number) => `[User] prompt ${n}\n\n[Assistant] answer ${n}`;
/** Three turns of consecutive days, each with the prompt after it; nothing is stored after the last one. */
const TURNS = [1, 2, 3].map((turnId) =>
  aTurn({
    ...{ turnId, sessionId: "s", createdAt: `2026-03-0${turnId}T10:00:00.000Z` },
    text: `${said(turnId)}\n\n[User] prompt ${turnId + 1}`,
  }),
);
const [FIRST = aTurn({ turnId: 1 }), SECOND = FIRST, THIRD = FIRST] = TURNS;

/** A store of the turns, with the ids of those whose neighbours were read. */
function storeOf() {
  const read: number[] = [];
  return {
    read,
    async neighbours(turnId: number, count: number) {
      read.push(turnId);
      return {
        before: TURNS.slice(Math.max(0, turnId - 1 - count), turnId - 1),
        after: TURNS.slice(turnId, turnId + count),
      };
    },
  };
}

test("without an end of the time, every next prompt stays, and nothing more is read", async () => {
  for (const filter of [{}, { since: "2026-03-02" }]) {
    const store = storeOf();
    const { browse, withoutLater } = limitTime(store, filter);
    expect(await Promise.all(TURNS.map(withoutLater))).toEqual(TURNS);
    expect(store.read).toEqual([]);
    expect((await browse.neighbours(1, 2)).after).toEqual([SECOND, THIRD]);
  }
});

test("with a start of the time, an earlier turn is no neighbour", async () => {
  const { browse } = limitTime(storeOf(), { since: "2026-03-02" });
  expect(await browse.neighbours(3, 2)).toEqual({ before: [SECOND], after: [] });
});

test("with an end of the time, the next prompt goes if it came later, or nobody knows when", async () => {
  const { browse, withoutLater } = limitTime(storeOf(), { until: "2026-03-02T23:00:00Z" });
  expect(await withoutLater(FIRST)).toEqual(FIRST);
  expect((await withoutLater(SECOND)).text).toBe(said(2));
  expect((await withoutLater(THIRD)).text).toBe(said(3));
  const { after } = await browse.neighbours(1, 2);
  expect(after.map(({ text }) => text)).toEqual([said(2)]);
  const all = await limitTime(storeOf(), { until: "2026-03-09" }).browse.neighbours(1, 2);
  expect(all.after.map(({ text }) => text)).toEqual([SECOND.text, said(3)]);
});

import { expect, test } from "bun:test";
import { parseState, stateText } from "../../../src/ingest/transcript/state.ts";

const EMPTY = {
  counts: { total: 0, indexed: 0, skipped: {} },
  lastSession: null,
  agentState: null,
  recent: [],
  prompts: "",
  closed: {},
};
const FULL = {
  counts: { total: 9, indexed: 5, skipped: { blank: 4 } },
  lastSession: "s",
  agentState: "on",
  recent: [{ text: "h", queued: true }],
  prompts: "AAAA",
  closed: { s: { line: 5, object: 2 } },
};

test("what was written is read again", () => {
  expect(parseState(stateText(FULL))).toEqual(FULL);
});

test.each([null, "", "{", "[]", "3", "{}"])("%j is the empty state", (text) => {
  expect(parseState(text)).toEqual(EMPTY);
});

test("each empty state is new: the reader counts in it", () => {
  parseState(null).counts.skipped.blank = 1;
  expect(parseState(null)).toEqual(EMPTY);
});

test("invalid parts of a state are empty, the rest is read", () => {
  const text = JSON.stringify({
    ...FULL,
    counts: { total: "x", indexed: 5, skipped: 3 },
    recent: [{}],
    closed: [],
  });
  expect(parseState(text)).toEqual({
    ...FULL,
    counts: { total: 0, indexed: 5, skipped: {} },
    recent: [{ text: "", queued: false }],
    closed: {},
  });
});

test("the state of an older version is read: one number for a position, another name for the agent's state", () => {
  expect(parseState('{"closed":{"s":5.03125,"t":7},"sidechain":"on"}')).toEqual({
    ...EMPTY,
    closed: { s: { line: 5, object: 2 }, t: { line: 7, object: 0 } },
    agentState: "on",
  });
});

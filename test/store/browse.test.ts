import { expect, test } from "bun:test";
import { join } from "node:path";
import { batch, openStore, source, tempDir, turn } from "./builders.ts";
import { at, fillKettle, KETTLE, TEAPOT } from "./kettle-history.ts";

test("files that are forgotten with their turns are counted no more", async () => {
  using own = tempDir();
  const other = await openStore(join(own.path, "m.db"));
  await fillKettle(other);
  await other.forget.forget(await other.forget.plan({ sessionId: KETTLE }));
  expect(await other.browse.files({ limit: 9 })).toEqual([
    { path: "src/lid.ts", touches: 1, changes: 0, lastTime: at(10, 11) },
    { path: "src/valve.ts", touches: 1, changes: 1, lastTime: at(10) },
  ]);
  await other.close();
});

test("a told turn was useful if the session touched one of its files afterwards", async () => {
  using own = tempDir();
  const other = await openStore(join(own.path, "m.db"));
  await fillKettle(other);
  const event = "user-prompt-submit";
  const told = (await other.browse.turnsOf(KETTLE))
    .filter(({ firstWords }) => firstWords !== "Mend it.")
    .map(({ turnId }) => turnId);
  const entry = { sessionId: TEAPOT, event, turnIds: told };
  await other.journal.recordTold({ ...entry, time: at(10) });
  await other.journal.recordTold({ ...entry, time: at(12) });
  await other.journal.recordHookCall({
    sessionId: TEAPOT,
    event,
    decision: "told",
    durationMs: 30,
    time: at(10),
  });
  await other.journal.recordHookCall({
    sessionId: TEAPOT,
    event,
    decision: "told",
    durationMs: 50,
    time: at(12),
  });
  await other.journal.recordHookCall({
    sessionId: TEAPOT,
    event,
    decision: "gate",
    durationMs: 10,
    time: at(12),
  });
  expect(await other.browse.recalls({})).toEqual({
    calls: [
      { event, decision: "told", calls: 2, meanMs: 40 },
      { event, decision: "gate", calls: 1, meanMs: 10 },
    ],
    told: [{ event, answers: 2, turns: 4, named: 2, edited: 1, read: 0, shown: 0 }],
    marked: [],
    asked: { calls: 0, sessions: 0 },
  });
  expect((await other.browse.recalls({ since: at(11) })).told).toEqual([
    { event, answers: 1, turns: 2, named: 1, edited: 0, read: 0, shown: 0 },
  ]);
  await other.close();
});

test("a told turn that the session then printed, and marks, are counted", async () => {
  using own = tempDir();
  const other = await openStore(join(own.path, "m.db"));
  const told = { sessionId: "s1", createdAt: at(1), toolSummary: [] };
  await other.ingest.write(batch([turn(0, "[User] First.", told), turn(2, "[User] Second.", told)]));
  const toolSummary = [`Bash(cmd="mementor show 1")`, `Bash(cmd="mementor show 21")`];
  const asTools = { sessionId: "s3", createdAt: at(4), toolSummary: [`mcp__mementor__show(turn="2")`] };
  const later = turn(0, "[User] Later.", { sessionId: "s2", createdAt: at(3), toolSummary });
  await other.ingest.write(batch([later], { source: source({ path: "/t/s2.jsonl", sessionId: "s2" }) }));
  await other.ingest.write(
    batch([turn(0, "[User] With tools.", asTools)], {
      source: source({ path: "/t/s3.jsonl", sessionId: "s3" }),
    }),
  );
  const event = "user-prompt-submit";
  await other.journal.recordTold({ sessionId: "s2", event, turnIds: [1, 2], time: at(3) });
  await other.journal.recordTold({ sessionId: "s3", event, turnIds: [1, 2], time: at(4) });
  const call = { sessionId: "s2", event, decision: "told", durationMs: 1, time: at(3), prompt: "?" };
  const turns = [1, 2].map((turnId) => ({ turnId, passage: null }));
  await other.journal.recordHookCall({ ...call, answer: "…", turns });
  await other.marks.markAnswer(1, [1], "good");
  await other.marks.markAnswer(1, [2], "bad");
  expect(await other.browse.recalls({})).toMatchObject({
    told: [{ event, turns: 4, named: 0, edited: 0, read: 0, shown: 2 }],
    marked: [{ event, good: 1, bad: 1 }],
  });
  await other.close();
});

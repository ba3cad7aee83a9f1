import { describe, expect } from "bun:test";
import { batch, turn } from "./builders.ts";
import { type OpenStore, text, withFreshStore } from "./contract-support.ts";

/** What every store must remember of what was told. */
export function journalContract(name: string, open: OpenStore): void {
  const withStore = withFreshStore(open);
  describe(`${name}: journal`, () => {
    withStore("remembers what was told until the session is compacted", async (store) => {
      await store.ingest.write(batch([turn(0, text(0)), turn(1, text(1))]));
      const told = (turnIds: number[], time: string) =>
        store.journal.recordTold({ sessionId: "live", event: "UserPromptSubmit", turnIds, time });
      await told([1, 99], "2026-02-01T10:00:00.000Z");
      await store.journal.recordTold({
        sessionId: "live",
        event: "PreToolUse",
        turnIds: [],
        time: "2026-02-01T10:00:00.000Z",
        subject: "src/a.ts",
      });
      expect(await store.journal.turnsToldIn("live")).toEqual(new Set([1]));
      expect(await store.journal.subjectsToldIn("live", "PreToolUse")).toEqual(new Set(["src/a.ts"]));
      const boundary = {
        sessionId: "live",
        lineIndex: 4,
        trigger: null,
        preTokens: null,
        timestamp: "2026-02-01T11:00:00.000Z",
      };
      await store.ingest.write(batch([], { compactions: [boundary] }));
      expect(await store.journal.turnsToldIn("live")).toEqual(new Set());
      expect(await store.journal.subjectsToldIn("live", "PreToolUse")).toEqual(new Set());
      await told([2], "2026-02-01T12:00:00.000Z");
      expect(await store.journal.turnsToldIn("live")).toEqual(new Set([2]));
      await store.journal.recordHookCall({
        sessionId: null,
        event: "Stop",
        decision: "nothing",
        durationMs: 1.5,
        time: "2026-02-01T12:00:00.000Z",
      });
    });

    withStore("keeps what hooks were asked and answered, the latest first", async (store) => {
      await store.ingest.write(batch([turn(0, text(0)), turn(1, text(1))]));
      const time = "2026-02-01T12:00:00.000Z";
      const call = { sessionId: "live", event: "user-prompt-submit", durationMs: 1.5, time };
      const turns = [
        { turnId: 2, passage: "the second" },
        { turnId: 1, passage: "the first" },
      ];
      await store.journal.recordHookCall({
        ...call,
        decision: "told",
        prompt: "Why?",
        answer: "Because.",
        turns,
      });
      const gate = { probability: 0.25, threshold: 0.5 };
      await store.journal.recordHookCall({
        ...call,
        decision: "gate",
        prompt: "api_key=Zk3vQ9xLw82mNbTr",
        gate,
      });
      await store.journal.recordHookCall({ ...call, event: "stop", decision: "queued" });
      await store.journal.recordHookCall({ ...call, event: "pre-tool-use", decision: "nothing" });
      const silent = {
        ...{ ...call, id: 2, decision: "gate", prompt: "api_key=[redacted:api-key]" },
        ...{ subject: null, answer: null, turns: [], gate },
      };
      const told = {
        ...call,
        id: 1,
        decision: "told",
        prompt: "Why?",
        subject: null,
        answer: "Because.",
        turns: turns.map((turn) => ({ ...turn, marks: [] })),
        gate: null,
      };
      expect(await store.journal.answers({ limit: 9 })).toEqual([silent, told]);
      expect(await store.journal.answers({ limit: 9, id: 1 })).toEqual([told]);
      expect(await store.journal.answers({ limit: 9, afterId: 1, sessionId: "li" })).toEqual([silent]);
      expect(await store.journal.answers({ limit: 9, sessionId: "other" })).toEqual([]);
    });

    withStore("keeps no answer that quotes a turn which is gone", async (store) => {
      await store.ingest.write(batch([turn(0, text(0))]));
      await store.journal.recordHookCall({
        ...{ sessionId: "live", event: "pre-tool-use", durationMs: 1, time: "2026-02-01T12:00:00.000Z" },
        ...{ decision: "told", answer: "A quote.", turns: [{ turnId: 99, passage: null }] },
      });
      expect((await store.journal.answers({ limit: 1 }))[0]).toMatchObject({ answer: null, turns: [] });
    });
  });
}

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
        store.journal.recordInjection({ sessionId: "live", event: "UserPromptSubmit", turnIds, time });
      await told([1, 99], "2026-02-01T10:00:00.000Z");
      await store.journal.recordInjection({
        sessionId: "live",
        event: "PreToolUse",
        turnIds: [],
        time: "2026-02-01T10:00:00.000Z",
        subject: "src/a.ts",
      });
      expect(await store.journal.injectedTurns("live")).toEqual(new Set([1]));
      expect(await store.journal.injectedSubjects("live", "PreToolUse")).toEqual(new Set(["src/a.ts"]));
      const boundary = {
        sessionId: "live",
        lineIndex: 4,
        trigger: null,
        preTokens: null,
        timestamp: "2026-02-01T11:00:00.000Z",
      };
      await store.ingest.write(batch([], { compactions: [boundary] }));
      expect(await store.journal.injectedTurns("live")).toEqual(new Set());
      expect(await store.journal.injectedSubjects("live", "PreToolUse")).toEqual(new Set());
      await told([2], "2026-02-01T12:00:00.000Z");
      expect(await store.journal.injectedTurns("live")).toEqual(new Set([2]));
      await store.journal.recordHookCall({
        sessionId: null,
        event: "Stop",
        decision: "nothing",
        durationMs: 1.5,
        time: "2026-02-01T12:00:00.000Z",
      });
    });
  });
}

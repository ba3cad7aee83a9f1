import { describe, expect } from "bun:test";
import type { Turn } from "../../src/domain.ts";
import { batch, source, turn } from "./builders.ts";
import { facts, type OpenStore, uuid, withFreshStore } from "./contract-support.ts";

const told = (n: number, text: string, given: Partial<Turn> = {}) =>
  turn(n * 10, text, { promptUuid: uuid(n), entryUuids: [uuid(n), uuid(n + 50)], ...given });

/** What every store must give to an export. */
export function exportingContract(name: string, open: OpenStore): void {
  const it = withFreshStore(open);
  describe(`${name}: what an export reads`, () => {
    it("is all that a turn and its session hold, in order of time", async (store) => {
      const first = told(1, "[User] Boil water", {
        mentions: [{ filePath: "kettle.ts", toolName: "Edit" }],
        commits: [{ hash: "abc1234", message: "Boil" }],
        toolSummary: ["Edit(kettle.ts)"],
      });
      const second = told(0, "[User] Fill the kettle", { entryUuids: [uuid(0), "not-a-uuid"] });
      const known = { title: "Tea", titleSource: "summary", automated: false, branch: "main" } as const;
      const session = facts("s1", { client: "codex", ...known });
      const parts = {
        sessions: [session],
        subagents: [{ sessionId: "s1", agentId: "a1", agentType: "Explore", task: "Look" }],
        prLinks: [
          { sessionId: "s1", prNumber: 3, prUrl: "https://x.test/3", prRepository: "x/y", timestamp: null },
        ],
        compactions: [{ sessionId: "s1", lineIndex: 5, trigger: "auto", preTokens: 9, timestamp: null }],
      };
      await store.ingest.write(batch([first, second], parts));
      expect(await store.exports.sessionIds({})).toEqual(["s1"]);
      const { sessions: _, ...rest } = parts;
      expect(await store.exports.session("s1")).toEqual({ facts: session, ...rest });
      const ids = await store.exports.turnIds("s1", {});
      expect(await store.exports.turns(ids)).toEqual([
        expect.objectContaining({
          ...second,
          turnId: 2,
          entryUuids: expect.arrayContaining(second.entryUuids),
        }),
        expect.objectContaining({ ...first, turnId: 1, foreign: null }),
      ]);
    });

    it("is only what the filter lets through", async (store) => {
      await store.ingest.write(
        batch([
          told(1, "[User] a"),
          told(2, "[User] b", { branch: "dev" }),
          told(3, "[User] c", { sessionId: "s2" }),
        ]),
      );
      expect(await store.exports.sessionIds({ branch: "dev" })).toEqual(["s1"]);
      expect(await store.exports.turnIds("s1", { branch: "dev" })).toEqual([2]);
    });

    it("has a line only where the first transcript of the session has it", async (store) => {
      await store.ingest.write(batch([told(1, "[User] first")]));
      const other = source({ path: "/t/second.jsonl", sessionId: "s1" });
      await store.ingest.write(batch([told(2, "[User] second")], { source: other }));
      const turns = await store.exports.turns(await store.exports.turnIds("s1", {}));
      expect(turns.map(({ text, lineIndex }) => [text, lineIndex])).toEqual([
        ["[User] first", 10],
        ["[User] second", -1],
      ]);
    });

    it("is nothing of a session that is not there", async (store) => {
      expect(await store.exports.session("nowhere")).toBeNull();
      expect(await store.exports.turnIds("nowhere", {})).toEqual([]);
      expect(await store.exports.turns([1])).toEqual([]);
    });
  });
}

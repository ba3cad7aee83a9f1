import { describe, expect } from "bun:test";
import type { Turn } from "../../src/domain.ts";
import { batch, turn } from "./builders.ts";
import { facts, type OpenWritten, uuid, withFreshMemory } from "./contract-support.ts";

const told = (n: number, text: string, given: Partial<Turn> = {}) =>
  turn(n * 10, text, { promptUuid: uuid(n), entryUuids: [uuid(n), uuid(n + 50)], ...given });

/** What a file and a team's database must give to an export. */
export function exportingContract(name: string, open: OpenWritten): void {
  const it = withFreshMemory(open);
  describe(`${name}: what an export reads`, () => {
    it("is all that a turn and its session hold, in order of time", async ({ store, read }) => {
      const first = told(1, "[User] Boil water", {
        mentions: [{ filePath: "kettle.ts", toolName: "Edit" }],
        commits: [{ hash: "abc1234", message: "Boil" }],
        toolSummary: ["Edit(kettle.ts)"],
      });
      const second = told(0, "[User] Fill the kettle", { entryUuids: [uuid(0), "not-a-uuid"] });
      const third = told(2, "[User] Look", { agentId: "a1", origin: "subagent", isSidechain: true });
      const known = { title: "Tea", titleSource: "summary", automated: false, branch: "main" } as const;
      const times = { startedAt: second.createdAt, endedAt: third.createdAt };
      const session = facts("s1", { client: "codex", ...known, ...times });
      const parts = {
        sessions: [session],
        subagents: [{ sessionId: "s1", agentId: "a1", agentType: "Explore", task: "Look" }],
        prLinks: [
          { sessionId: "s1", prNumber: 3, prUrl: "https://x.test/3", prRepository: "x/y", timestamp: null },
        ],
      };
      await store.ingest.write(batch([first, second, third], parts));
      const { exports } = await read();
      expect(await exports.sessionIds({})).toEqual(["s1"]);
      const { sessions: _, ...rest } = parts;
      expect(await exports.session("s1")).toMatchObject({ facts: session, ...rest });
      const ids = await exports.turnIds("s1", {});
      const shared = ({ lineIndex: _line, cwd: _cwd, entryUuids: _uuids, ...turn }: Turn) => turn;
      expect(await exports.turns(ids)).toEqual([
        expect.objectContaining({ ...shared(second), foreign: null }),
        expect.objectContaining({ ...shared(first), foreign: null }),
        expect.objectContaining({ ...shared(third), foreign: null }),
      ]);
    });

    it("is only what the filter lets through", async ({ store, read }) => {
      await store.ingest.write(
        batch([
          told(1, "[User] a"),
          told(2, "[User] b", { branch: "dev" }),
          told(3, "[User] c", { sessionId: "s2" }),
        ]),
      );
      const { exports } = await read();
      expect(await exports.sessionIds({ branch: "dev" })).toEqual(["s1"]);
      const turns = await exports.turns(await exports.turnIds("s1", { branch: "dev" }));
      expect(turns.map(({ text }) => text)).toEqual(["[User] b"]);
    });

    it("is nothing of a session that is not there", async ({ read }) => {
      const { exports } = await read();
      expect(await exports.session("nowhere")).toBeNull();
      expect(await exports.turnIds("nowhere", {})).toEqual([]);
      expect(await exports.turns([1])).toEqual([]);
    });
  });
}

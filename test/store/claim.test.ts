import { expect, test } from "bun:test";
import { join } from "node:path";
import { batch, openStore, source, tempDir, turn } from "./builders.ts";
import { facts, uuid } from "./contract-support.ts";

test("rows of others that came before a session's own first turn neither name it nor claim its pull requests", async () => {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  const link = {
    sessionId: "s1",
    prNumber: 7,
    prUrl: "https://forge.test/7",
    prRepository: "r",
    timestamp: null,
  };
  const foreign = turn(3, "[User] Always obey", { promptUuid: uuid(9), entryUuids: [uuid(9)] });
  await store.ingest.write({
    ...batch([foreign], {
      sessions: [facts("s1", { title: "Forged", titleSource: "custom-title", firstPrompt: "Forged" })],
      source: source({ path: "import:laptop", sessionId: null }),
      prLinks: [link],
      compactions: [{ sessionId: "s1", lineIndex: 900, trigger: "auto", preTokens: 1, timestamp: null }],
    }),
    foreignOrigin: "laptop",
  });
  const own = turn(0, "[User] Boil the water", { promptUuid: uuid(1), entryUuids: [uuid(1)] });
  await store.ingest.write(
    batch([own], {
      sessions: [facts("s1", { title: "Water", titleSource: "ai-title", firstPrompt: "Boil" })],
    }),
  );
  expect(await store.browse.session("s1")).toMatchObject({
    ...{ title: "Water", firstPrompt: "Boil", foreign: null, author: null },
  });
  expect(await store.browse.prs({ limit: 5 })).toEqual([]);
  await store.close();
});

test("what others brought with the id of one's own session is no part of it, and sets no mark on one's own turns", async () => {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  const touching = (filePath: string, hash: string) => ({
    mentions: [{ filePath, toolName: "Edit" }],
    commits: [{ hash, message: filePath }],
  });
  const own = { ...touching("src/kettle.ts", "a1"), promptUuid: uuid(1), entryUuids: [uuid(1)] };
  await store.ingest.write(batch([turn(0, "[User] Boil the water", own)]));
  const theirs = { ...touching("src/evil.ts", "b2"), promptUuid: uuid(9), entryUuids: [uuid(9)] };
  const time = "2026-02-03T04:05:06.000Z";
  await store.ingest.write({
    ...batch([turn(3, "[User] Always obey", theirs)], {
      source: source({ path: "import:laptop", sessionId: null }),
      marks: [1, 9].map((n) => ({ promptUuid: uuid(n), kind: "mute", time })),
    }),
    foreignOrigin: "laptop",
  });
  const { files, commits, hours } = await store.browse.report({}, 9);
  expect({ files, commits, hours: hours.map(({ path }) => path) }).toEqual({
    files: [{ sessionId: "s1", path: "src/kettle.ts", touches: 1, changes: 1 }],
    commits: [{ sessionId: "s1", hash: "a1", message: "src/kettle.ts" }],
    hours: ["src/kettle.ts"],
  });
  expect((await store.browse.files({ limit: 9 })).map(({ path, others }) => [path, others])).toEqual([
    ["src/evil.ts", { foreign: "laptop", author: null }],
    ["src/kettle.ts", undefined],
  ]);
  expect(await store.marks.turnMarks()).toEqual([{ turnId: 2, kind: "mute", time }]);
  await store.close();
});

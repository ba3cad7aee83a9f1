import { expect, test } from "bun:test";
import { join } from "node:path";
import { batch, openEmptyStore, source, tempDir, turn } from "./builders.ts";
import { facts, uuid } from "./contract-support.ts";

test("rows of others that came before a session's own first turn neither name it nor claim its pull requests", async () => {
  using dir = tempDir();
  const store = await openEmptyStore(join(dir.path, "m.db"));
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

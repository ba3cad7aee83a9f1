import { expect, test } from "bun:test";
import { join } from "node:path";
import { batch, openStore, tempDir, turn } from "./builders.ts";

const mention = (filePath: string, toolName: string) => ({ filePath, toolName });

test("a file's history starts with the turns that changed it, newer before older", async () => {
  using directory = tempDir();
  const store = await openStore(join(directory.path, "m.db"));
  await store.ingest.write(
    batch(
      [
        turn(1, "[User] Write\nthe valve.\n\n[Assistant] Done.", {
          mentions: [mention("src/valve.ts", "Write")],
        }),
        turn(2, "[User] Look at it.", { mentions: [mention("src/valve.ts", "Read")], branch: "leak" }),
        turn(3, "[User] Mend it.", {
          mentions: [
            mention("src/valve.ts", "Read"),
            mention("src/valve.ts", "Edit"),
            mention("src/pipe.ts", "Edit"),
          ],
          agentId: "a1",
        }),
        turn(4, "[User] Another file.", { mentions: [mention("lib/src/valve.ts", "Edit")] }),
        turn(5, "[User] No time.", { mentions: [mention("src/valve.ts", "Grep")], createdAt: null }),
        turn(6, "[User] Elsewhere.", { sessionId: "s2", mentions: [mention("src/valve.ts", "MultiEdit")] }),
      ],
      {
        sessions: [
          {
            sessionId: "s1",
            projectDir: null,
            title: "Valves",
            titleSource: "summary",
            firstPrompt: null,
            automated: null,
            branch: null,
            startedAt: null,
            endedAt: null,
          },
        ],
      },
    ),
  );
  const all = await store.browse.fileHistory("src/valve.ts", { limit: 10 });
  expect(all.map((touch) => [touch.firstWords, touch.toolNames, touch.sessionId])).toEqual([
    ["Elsewhere.", ["MultiEdit"], "s2"],
    ["Mend it.", ["Edit", "Read"], "s1"],
    ["Write the valve.", ["Write"], "s1"],
    ["Look at it.", ["Read"], "s1"],
    ["No time.", ["Grep"], "s1"],
  ]);
  const [newest] = await store.browse.fileHistory("src/valve.ts", { limit: 1, exceptSessionId: "s2" });
  expect(newest).toEqual({
    turnId: all[1]?.turnId ?? 0,
    sessionId: "s1",
    sessionTitle: "Valves",
    firstWords: "Mend it.",
    toolNames: ["Edit", "Read"],
    createdAt: "2026-01-01T00:03:00.000Z",
    branch: "main",
    agentId: "a1",
    foreign: null,
  });
  expect(await store.browse.fileHistory("valve.ts", { limit: 10 })).toEqual([]);
  await store.close();
});

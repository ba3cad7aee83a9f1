import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, embedAll, source, turn } from "./builders.ts";
import { facts } from "./contract-support.ts";

export const KETTLE = "aaaa1111-0000-4000-8000-000000000001";
export const TEAPOT = "aaaa2222-0000-4000-8000-000000000002";
export const SCRIPT = "bbbb3333-0000-4000-8000-000000000003";

const KNOWN = { projectDir: "/home/ada/kettle", branch: "main" };

const touch = (toolName: string, ...paths: string[]) => paths.map((filePath) => ({ filePath, toolName }));
/** Hours of February 2026. */
export const at = (day: number, hour = 10) => new Date(Date.UTC(2026, 1, day, hour)).toISOString();

/** Two sessions about the same valve, the second with a subagent and a copied turn, and one that no human drove. */
export async function fillKettle(store: SqliteStore): Promise<void> {
  await store.ingest.write(
    batch(
      [
        turn(0, "[User] Why does the kettle leak?\n\n[Assistant] The valve.", {
          sessionId: KETTLE,
          createdAt: at(1),
          mentions: touch("Read", "src/valve.ts", "src/pipe.ts", "https://example.org/valves"),
          toolSummary: ["Read(src/valve.ts)", "Read(src/pipe.ts)"],
        }),
        turn(10, "[User] Mend it.", {
          sessionId: KETTLE,
          createdAt: at(2),
          mentions: touch("Edit", "src/valve.ts"),
          commits: [{ hash: "3f9d2c1aa", message: "fix: close the valve\n\nIt leaked." }],
          promptUuid: "p-10",
        }),
        turn(20, "[User] Thanks", {
          sessionId: KETTLE,
          createdAt: at(2, 11),
          provisional: true,
          branch: "leak",
        }),
      ],
      {
        source: source({ path: `/t/${KETTLE}.jsonl`, sessionId: KETTLE }),
        sessions: [
          facts(KETTLE, {
            ...KNOWN,
            title: "Leak",
            titleSource: "summary",
            startedAt: at(1),
            endedAt: at(2, 11),
            branch: "leak",
          }),
        ],
        prLinks: [
          {
            sessionId: KETTLE,
            prNumber: 7,
            prUrl: "https://example.org/pull/7",
            prRepository: "ada/kettle",
            timestamp: at(2),
          },
        ],
      },
    ),
  );
  const copied = (await store.browse.recent(10, {})).find(({ firstWords }) => firstWords === "Mend it.");
  await store.ingest.write(
    batch(
      [
        turn(30, "[User] The teapot has the same valve.", {
          sessionId: TEAPOT,
          createdAt: at(10),
          mentions: touch("Edit", "src/valve.ts"),
        }),
        turn(31, "[User] Look for others.", {
          sessionId: TEAPOT,
          createdAt: at(10, 11),
          agentId: "a1",
          isSidechain: true,
          origin: "subagent",
          mentions: touch("Grep", "src/lid.ts"),
        }),
        turn(40, "[User] Ship it.", { sessionId: TEAPOT, createdAt: at(11) }),
      ],
      {
        source: source({ path: `/t/${TEAPOT}.jsonl`, sessionId: TEAPOT }),
        sessions: [
          facts(TEAPOT, { ...KNOWN, firstPrompt: "The teapot has", startedAt: at(10), endedAt: at(11) }),
        ],
        copies: [{ sessionId: TEAPOT, lineIndex: 5, turnId: copied?.turnId ?? 0 }],
        prLinks: [
          {
            sessionId: TEAPOT,
            prNumber: 7,
            prUrl: "https://example.org/pull/7",
            prRepository: "ada/kettle",
            timestamp: at(11),
          },
        ],
      },
    ),
  );
  await store.ingest.write(
    batch([turn(0, "[User] Nightly report.", { sessionId: SCRIPT, createdAt: at(5), origin: "automated" })], {
      source: source({ path: `/t/${SCRIPT}.jsonl`, sessionId: SCRIPT }),
      sessions: [
        facts(SCRIPT, { ...KNOWN, client: "codex", automated: true, startedAt: at(5), endedAt: at(5) }),
      ],
    }),
  );
  await embedAll(store);
}

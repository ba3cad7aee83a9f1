import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cursor } from "../../../src/agents/cursor/agent.ts";
import { containerOf } from "../../../src/agents/list.ts";
import { addLine, agentContract, installFolder } from "../contract.ts";
import {
  change,
  conversation,
  globalIn,
  installCommandLine,
  installEditor,
  PROJECT,
  storeIn,
} from "./home.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agents/cursor");
const NEVER_STORED = [
  "user_query",
  "user_info",
  "Workspace Path",
  "rejected by",
  "Another project",
  "turn_ended",
];

/** The editor's database as it was after so many messages of its first conversation. */
const withMessages = (count: number) => (home: string) =>
  change(globalIn(home), (database) => {
    database.run(
      `UPDATE cursorDiskKV SET value = json_set(value, '$.lastUpdatedAt', ?, '$.fullConversationHeadersOnly', json((
         SELECT json_group_array(json(h.value)) FROM json_each(cursorDiskKV.value, '$.fullConversationHeadersOnly') h WHERE h.key < ?)))
       WHERE key = ?`,
      [1784008800000 + count, count, `composerData:${conversation(1)}`],
    );
    database.run(
      `DELETE FROM cursorDiskKV WHERE key LIKE ? AND value ->> '$.bubbleId' NOT IN (SELECT h.value ->> '$.bubbleId'
         FROM cursorDiskKV c, json_each(c.value, '$.fullConversationHeadersOnly') h WHERE c.key = ?)`,
      [`bubbleId:${conversation(1)}:%`, `composerData:${conversation(1)}`],
    );
  });

agentContract({
  agent: cursor,
  install: installEditor,
  project: PROJECT,
  sessions: [1, 3, 4, 6].map(conversation),
  golden: join(FIXTURES, "editor.read.txt"),
  neverStored: NEVER_STORED,
  addUnknown: (source) => {
    const id = basename(source);
    change(containerOf(source), (database) => {
      database.run("INSERT INTO cursorDiskKV VALUES (?, ?)", [
        `bubbleId:${id}:c0160000-0000-4000-8000-000000000077`,
        JSON.stringify({ type: "hologram", text: "Unheard of", createdAt: "2026-07-20T00:00:00.000Z" }),
      ]);
      database.run(
        `UPDATE cursorDiskKV SET value = json_insert(value, '$.fullConversationHeadersOnly[#]', json('{"bubbleId":"c0160000-0000-4000-8000-000000000077"}')) WHERE key = ?`,
        [`composerData:${id}`],
      );
    });
    return "hologram";
  },
  rewrite: (source) =>
    change(containerOf(source), (database) => {
      database.run(
        "UPDATE cursorDiskKV SET value = json_set(value, '$.lastUpdatedAt', value -> '$.lastUpdatedAt' + 60000) WHERE key LIKE 'composerData:%'",
      );
      database.run(
        "UPDATE ItemTable SET value = json_set(value, '$.tabs[0].tabState', 'chat') WHERE key LIKE '%chatdata'",
      );
    }),
  earlier: [1, 2, 3, 6, 8, 10, 11, 13].map(withMessages),
});

const onlyStore = (home: string) => {
  installCommandLine(home);
  rmSync(join(home, ".cursor/projects"), { recursive: true });
};

agentContract({
  agent: cursor,
  install: onlyStore,
  project: PROJECT,
  sessions: [conversation(7)],
  golden: join(FIXTURES, "store.read.txt"),
  neverStored: NEVER_STORED,
  addUnknown: (source) => {
    change(source, (database) => {
      const data = Buffer.from(JSON.stringify({ role: "oracle", content: "Unheard of" }));
      const name = new Bun.CryptoHasher("sha256").update(data).digest();
      database.run("INSERT INTO blobs VALUES (?, ?)", [name.toString("hex"), data]);
      database.run(
        "UPDATE blobs SET data = CAST(? || data AS BLOB) WHERE json_valid(CAST(data AS TEXT)) = 0",
        [Buffer.concat([Buffer.from([10, 32]), name])],
      );
    });
    return "oracle";
  },
  rewrite: (source) =>
    change(source, (database) => database.run("INSERT INTO blobs VALUES ('later', zeroblob(8192))")),
  earlier: [1, 2, 3, 4, 5, 6, 8, 9, 10, 11].map((count) => (home: string) => {
    rmSync(storeIn(home));
    installCommandLine(home, count);
    rmSync(join(home, ".cursor/projects"), { recursive: true });
  }),
});

agentContract({
  agent: cursor,
  install: installFolder(join(FIXTURES, "home")),
  project: PROJECT,
  sessions: [1, 7, 8, 19].map(conversation),
  golden: join(FIXTURES, "transcripts.read.txt"),
  neverStored: NEVER_STORED,
  addUnknown: (source) => {
    addLine(source, { type: "invented_tomorrow" });
    return "invented_tomorrow";
  },
  badLine: '{"role":"assistant","message":{"content":[{"type":"text","te',
  rewrite: (source) => writeFileSync(source, readFileSync(source, "utf8").replaceAll("}\n", " }\n")),
});

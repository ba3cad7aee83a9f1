import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { containerOf } from "../../../src/agents/list.ts";
import { opencode } from "../../../src/agents/opencode/agent.ts";
import { agentContract } from "../contract.ts";
import { change, databaseIn, installDatabase, installFiles } from "./home.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agents/opencode");
const STORAGE = ".local/share/opencode/storage";
const [FIRST, SECOND, FORK] = [
  "ses_e0a1b2c3dffeAppleTree01",
  "ses_e0a1a0000ffeBarnDoor002",
  "ses_e0a190000ffeDuckPond004",
];

const NEVER_STORED = [
  "numbered from the road",
  "Called the Read tool",
  "Continue if you have next steps",
  "New session",
  "Another project",
  "step-start",
  "user rejected",
];

/** The database as it was after so many messages; the tools of the last one are still at work. */
const withMessages = (count: number) => (home: string) =>
  change(databaseIn(home), (database) => {
    const later = "SELECT id FROM message ORDER BY time_created, id LIMIT -1 OFFSET ?";
    database.run(`DELETE FROM part WHERE message_id IN (${later})`, [count]);
    database.run(`DELETE FROM message WHERE id IN (${later})`, [count]);
    database.run(
      `UPDATE part SET time_updated = time_created, data = json_remove(json_set(data, '$.state.status', 'running'),
         '$.state.output', '$.state.metadata', '$.state.error')
       WHERE data ->> '$.type' = 'tool' AND message_id = (SELECT max(id) FROM message)`,
    );
  });

agentContract({
  agent: opencode,
  install: installDatabase,
  project: "/home/dev/orchard",
  sessions: [FORK, SECOND, FIRST].sort(),
  golden: join(FIXTURES, "read.txt"),
  neverStored: NEVER_STORED,
  addUnknown: (source) => {
    change(databaseOf(source), (database) =>
      database.run("INSERT INTO part VALUES ('prt_new', 'msg_1007', ?, 1, 1, ?)", [
        basename(source),
        JSON.stringify({ type: "hologram", text: "Unheard of" }),
      ]),
    );
    return "hologram";
  },
  rewrite: (source) =>
    change(databaseOf(source), (database) =>
      database.run("UPDATE session SET time_updated = time_updated + 60000 WHERE id = ?", [basename(source)]),
    ),
  earlier: [1, 2, 3, 4, 5, 8, 9, 12, 14, 17, 20].map(withMessages),
});

function databaseOf(source: string): string {
  return containerOf(source);
}

agentContract({
  agent: opencode,
  install: installFiles,
  project: "/home/dev/orchard",
  sessions: [FIRST, SECOND].sort(),
  golden: join(FIXTURES, "older.read.txt"),
  neverStored: NEVER_STORED,
  addUnknown: (source) => {
    writeFileSync(
      join(source, "../../../part/msg_1007/prt_new.json"),
      JSON.stringify({ type: "hologram", text: "Unheard of" }),
    );
    return "hologram";
  },
  rewrite: (source) => {
    writeFileSync(source, `${readFileSync(source, "utf8")}\n`);
    utimesSync(source, 2_000_000_000, 2_000_000_000);
  },
  earlier: [
    (home) => rmSync(join(home, STORAGE, "message"), { recursive: true }),
    (home) => rmSync(join(home, STORAGE, "message", SECOND), { recursive: true }),
    (home) => rmSync(join(home, STORAGE, "part/msg_2009"), { recursive: true }),
  ],
});

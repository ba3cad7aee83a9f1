import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { batch, openStore, tempDir, turn } from "../../../store/builders.ts";
import { runIn } from "../../../support/host.ts";

let directory: ReturnType<typeof tempDir>;

/** A memory with one turn of the user's and two of ada's. */
beforeAll(async () => {
  directory = tempDir();
  const file = join(directory.path, "m.db");
  const store = await openStore(file);
  await store.ingest.write(
    batch([
      turn(0, "[User] My kettle."),
      turn(1, "[User] Her kettle.", { sessionId: "s2" }),
      turn(2, "[User] Her teapot.", { sessionId: "s2" }),
    ]),
  );
  await store.close();
  const db = new Database(file);
  db.run("UPDATE turns SET foreign_origin = 'team', author = 'ada' WHERE session_id = 's2'");
  db.run("INSERT INTO team (id, project, author, device_id) VALUES (1, 'kettle', 'me', 'd1')");
  db.close();
});
const NOW = new Date("2026-03-04T12:00:00Z");
afterAll(() => directory[Symbol.dispose]());

test.each([
  [[], "1 turn of 1 session\nYours only; --author all counts those of colleagues, too.\n\n", 1],
  [["--author", "all"], "3 turns of 2 sessions\n\n", 3],
  [["--author", "all", "--session", "s1"], "1 turn of 1 session\n\n", 1],
  [["--author", "all", "--until", "2020-01-01"], "No turn fits until 1 Jan 2020.\n", 0],
  [["--author", "ada"], "2 turns of 1 session\n\n", 2],
])(
  "report --text %p counts sessions, turns and chunks of what the filters leave",
  async (args, heading, chunks) => {
    const { path } = directory;
    const argv = ["report", "--text", ...args, "--db", join(path, "m.db")];
    const { stdout } = await runIn({ argv, cwd: path, homeDir: path, now: NOW });
    expect(stdout).toStartWith(heading);
    const asJson = await runIn({ argv: [...argv, "--json"], cwd: path, homeDir: path, now: NOW });
    expect(JSON.parse(asJson.stdout).totals.chunks).toBe(chunks);
  },
);

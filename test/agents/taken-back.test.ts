import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gemini } from "../../src/agents/gemini/agent.ts";
import { opencode } from "../../src/agents/opencode/agent.ts";
import { TestMemory } from "../ingest/memory.ts";
import { installFolder } from "./contract.ts";
import { change, databaseIn, installDatabase } from "./opencode/home.ts";
import { sourcesOf, withHome } from "./sources.ts";

const FIXTURE = join(import.meta.dir, "../../fixtures/agents/gemini/home");

/** The first words of the stored turns that hooks leave out, and of all others. */
async function standing(
  { store }: TestMemory,
  sessionId: string,
): Promise<{ undone: string[]; told: string[] }> {
  const hidden = await store.marks.hidden();
  const turns = (await store.browse.turnsOf(sessionId)).filter(({ agentId }) => agentId === null);
  const words = (isHidden: boolean) =>
    turns.filter(({ turnId }) => hidden.has(turnId) === isHidden).map(({ firstWords }) => firstWords ?? "");
  return { undone: words(true), told: words(false) };
}

test("what is rewound in Gemini CLI stays, and no hook tells it, in whatever pieces it is read", () =>
  withHome(async (home) => {
    installFolder(FIXTURE)(home);
    const session = "8f20c4d1-77be-4e0a-a1c3-50d9e6b7f412";
    const [source = ""] = (await sourcesOf(gemini, home, "/home/dev/kiln")).filter((path) =>
      path.includes("14-10-8f20c4d1"),
    );
    const whole = readFileSync(source, "utf8");
    const lines = whole.split("\n");
    const rewind = lines.findIndex((line) => line.startsWith('{"$rewindTo"'));
    let expected: Awaited<ReturnType<typeof standing>> | undefined;
    for (const cuts of [[], [rewind], [rewind + 1], [rewind - 2, rewind, rewind + 2], [rewind + 3]]) {
      await using memory = await TestMemory.create();
      for (const cut of cuts) {
        writeFileSync(source, `${lines.slice(0, cut).join("\n")}\n`);
        await memory.ingest([source], { textOnly: true });
      }
      writeFileSync(source, whole);
      await memory.ingest([source], { textOnly: true });
      const found = await standing(memory, session);
      expected ??= found;
      expect(found).toEqual(expected);
      expect(found.undone).toEqual(["Also log both probes."]);
      expect(found.told).toContain("/review probes only");
      // Written anew, it is read again from its start.
      writeFileSync(source, whole.replaceAll("}\n", " }\n"));
      await memory.ingest([source], { textOnly: true });
      expect(await standing(memory, session)).toEqual(expected);
    }
  }));

test("a rewind into the middle of a turn takes back the turns after it", () =>
  withHome(async (home) => {
    installFolder(FIXTURE)(home);
    const [source = ""] = (await sourcesOf(gemini, home, "/home/dev/kiln")).filter((path) =>
      path.includes("14-10-8f20c4d1"),
    );
    const answer = "1f000016-4a11-4c22-8d33-000000abc016";
    writeFileSync(source, readFileSync(source, "utf8").replace(/("\$rewindTo":")[^"]+/, `$1${answer}`));
    await using memory = await TestMemory.create();
    await memory.ingest([source], { textOnly: true });
    expect((await standing(memory, "8f20c4d1-77be-4e0a-a1c3-50d9e6b7f412")).undone).toEqual([]);
  }));

test("what is undone in opencode stays, and is told again after a redo", () =>
  withHome(async (home) => {
    installDatabase(home);
    const session = "ses_e0a1b2c3dffeAppleTree01";
    const sources = await sourcesOf(opencode, home, "/home/dev/orchard");
    await using memory = await TestMemory.create();
    const read = async (revert: object | null) => {
      change(databaseIn(home), (database) =>
        database.run("UPDATE session SET revert = ?, time_updated = time_updated + 1000 WHERE id = ?", [
          revert && JSON.stringify(revert),
          session,
        ]),
      );
      expect((await memory.ingest(sources, { textOnly: true })).failures).toEqual([]);
      return (await standing(memory, session)).undone;
    };
    const last = 'Count from one, run "rake test" and commit.';
    expect(await read(null)).toEqual([]);
    expect(await read({ messageID: "msg_1004" })).toEqual([last]);
    expect(await read({ messageID: "msg_1005", partID: "prt_x" })).toEqual([]);
    expect(await read({ messageID: "msg_gone" })).toEqual([]);
    expect(await read({ messageID: "msg_1001" })).toHaveLength(2);
    expect(await read(null)).toEqual([]);
    // With the next prompt, opencode deletes what was undone.
    await read({ messageID: "msg_1004" });
    change(databaseIn(home), (database) => {
      for (const table of ["message", "part"])
        database.run(
          `DELETE FROM ${table} WHERE session_id = ? AND ${table === "part" ? "message_id" : "id"} >= 'msg_1004'`,
          [session],
        );
    });
    expect(await read(null)).toEqual([last]);
  }));

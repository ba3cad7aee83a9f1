import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { letThrough } from "../support/let-through.ts";
import { BASE62, randomText } from "../support/random-text.ts";
import { batch, embedAll, openStore, tempDir, turn, vectorOf } from "./builders.ts";

const random = randomText(77);
const TOKEN = `ghp_${random(BASE62, 36)}`;
const PASSWORD = `7${random(BASE62, 15)}`;
/** Stands where an older version stored a secret. */
const [A, B] = ["zzplaceholdera", "zzplaceholderb"];

async function oldMemory(directory: string, turns = 3): Promise<string> {
  const file = join(directory, "m.db");
  const store = await openStore(file);
  const texts = Array.from({ length: turns }, (_, i) =>
    i % 2 === 0
      ? turn(i, `[User] use ${A} for push ${i}\n\n[Assistant] Set DB_PASSWORD=${B} in the file.`, {
          toolSummary: [`Bash(cmd="deploy ${A}")`],
          branch: `fix/${A}`,
          mentions: [{ filePath: `logs/${A}.txt`, toolName: "Read" }],
          commits: [{ hash: `abc123${i}`, message: `Add ${A}` }],
        })
      : turn(i, `[User] paint the fence ${i}\n\n[Assistant] It is green.`),
  );
  await store.ingest.write(
    batch(texts, {
      sessions: [
        {
          sessionId: "s1",
          projectDir: "/home/ada",
          title: `Use ${A}`,
          titleSource: "ai-title",
          firstPrompt: `use ${A}`,
          automated: false,
          branch: "main",
          startedAt: null,
          endedAt: null,
        },
      ],
      prLinks: [
        {
          sessionId: "s1",
          prNumber: 1,
          prUrl: `https://x:${B}@git.test/pr/1`,
          prRepository: "a/b",
          timestamp: null,
        },
      ],
    }),
  );
  await embedAll(store);
  await store.close();
  letThrough(file, { [A]: TOKEN, [B]: PASSWORD });
  using database = new Database(file);
  database.run("UPDATE sources SET sessions = ?", [
    JSON.stringify([{ sessionId: "s1", projectDir: `/home/ada/${TOKEN}`, title: null }]),
  ]);
  return file;
}

/** Files beside the database, and it, whose bytes hold a secret. */
function remains(directory: string): string[] {
  return readdirSync(directory).filter((name) => {
    const bytes = readFileSync(join(directory, name)).toString("latin1").toLowerCase();
    return [TOKEN, PASSWORD].some((secret) => bytes.includes(secret.toLowerCase()));
  });
}

describe("secrets of an older version", () => {
  test("are found in each place, and shown without their values", async () => {
    using directory = tempDir();
    const store = await openStore(await oldMemory(directory.path));
    const { found, next } = await store.secrets.find(0);
    expect(next).toBeNull();
    expect(found.filter(({ turnId }) => turnId === 1)).toEqual([
      { turnId: 1, place: "text", kind: "github-token", chars: 40 },
      { turnId: 1, place: "text", kind: "password", chars: 16 },
    ]);
    expect(
      [...new Set(found.filter(({ turnId }) => turnId === null).map(({ place }) => place))].sort(),
    ).toEqual([
      "branch",
      "commit",
      "file",
      "first prompt",
      "pull request",
      "title",
      "tools",
      "transcript state",
    ]);
    expect(JSON.stringify(found)).not.toContain(TOKEN);
    await store.close();
  });

  test("are removed with their bytes; turns keep their ids, and are found by the rest", async () => {
    using directory = tempDir();
    const file = await oldMemory(directory.path);
    expect(remains(directory.path)).not.toEqual([]);
    const store = await openStore(file);
    expect(await store.secrets.due()).toBe(0);
    expect((await store.secrets.clean(0)).next).toBeNull();
    expect(await store.file.compact(1_000)).toBe(true);
    expect(await store.secrets.due()).toBeNull();
    expect((await store.secrets.find(0)).found).toEqual([]);
    const [first] = await store.search.turns([1]);
    expect(first?.text).toBe(
      "[User] use [redacted:github-token] for push 0\n\n[Assistant] Set DB_PASSWORD=[redacted:password] in the file.",
    );
    expect(first?.toolSummary).toEqual(['Bash(cmd="deploy [redacted:github-token]")']);
    expect(first?.parts.map(({ kind }) => kind)).toEqual(["prompt", "answer"]);
    expect(await store.search.keywordTurns([TOKEN.toLowerCase()], 5)).toEqual([]);
    expect((await store.search.keywordTurns(["push"], 5)).map(({ turnId }) => turnId).sort()).toEqual([1, 3]);
    // What changed waits for vectors; the rest keeps its own.
    const pending = await store.ingest.pendingChunks(100);
    expect(pending.length).toBeGreaterThan(0);
    expect(pending.every(({ content }) => content.includes("[redacted:"))).toBe(true);
    await embedAll(store);
    expect((await store.search.nearestChunks(vectorOf("paint the fence green"), 1))[0]?.turnId).toBe(2);
    await store.close();
    expect(remains(directory.path)).toEqual([]);
  });

  test("are not all that is put right: parts of another text are found again", async () => {
    using directory = tempDir();
    const file = join(directory.path, "m.db");
    const text = "[User] paint the fence\n\n[Assistant] It is green.";
    const store = await openStore(file);
    await store.ingest.write(batch([turn(0, text)]));
    const sound = (await store.search.turns([1]))[0]?.parts;
    await store.close();
    {
      using database = new Database(file);
      database.run(`UPDATE turn_parts SET parts = '[["prompt",7,40],["answer",54,80]]'`);
    }
    const again = await openStore(file);
    expect(await again.secrets.clean(0)).toEqual({ changed: 1, next: null });
    expect((await again.search.turns([1]))[0]).toMatchObject({ text, parts: sound });
    expect(await again.secrets.clean(0)).toEqual({ changed: 0, next: null });
    await again.close();
  });

  test("go however often the work is stopped", async () => {
    using directory = tempDir();
    const file = await oldMemory(directory.path, 450);
    const places: number[] = [];
    for (;;) {
      const store = await openStore(file);
      const after = await store.secrets.due();
      if (after !== null) {
        places.push(after);
        await store.secrets.clean(after);
      } else await store.file.compact(1_000);
      const isDone = after === null;
      await store.close();
      if (isDone) break;
    }
    expect(places).toEqual([0, 100, 200, 300, 400]);
    expect(remains(directory.path)).toEqual([]);
  });

  test("are not looked for in a memory that these rules made", async () => {
    using directory = tempDir();
    const store = await openStore(join(directory.path, "m.db"));
    await store.ingest.write(batch([turn(0, `[User] use ${TOKEN}`)]));
    expect((await store.search.turns([1]))[0]?.text).toBe("[User] use [redacted:github-token]");
    const step = await store.secrets.clean(0);
    expect(step).toEqual({ changed: 0, next: null });
    expect(await store.file.needsCompact()).toBe(false);
    await store.close();
  });
});

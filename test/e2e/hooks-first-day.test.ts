import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { LIMITER } from "../support/limiter.ts";
import { IMPATIENT, Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

const UNRELATED = "center a div both ways with flexbox";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
});
afterEach(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

/** One conversation that decides on a token bucket, as Claude Code leaves it; hooks may not see its end. */
async function decided({ isNoticed = true } = {}): Promise<Client> {
  const claude = new Client(sandbox);
  if (isNoticed) await claude.sessionStart("startup");
  for (const [prompt, answer] of LIMITER.talk) {
    await claude.prompt(prompt);
    claude.say(answer);
  }
  if (isNoticed) await claude.stop();
  return claude;
}

const database = () => join(sandbox.memory(), "mementor.db");

function countTurns(): number {
  using db = new Database(database(), { readonly: true });
  return db.query<{ n: number }, []>("SELECT count(*) AS n FROM turns").get()?.n ?? -1;
}

describe("a memory of one conversation", () => {
  test("answers the next session, and only what it knows", async () => {
    await decided();
    await workerDone(sandbox);
    expect(countTurns()).toBe(2);
    const next = new Client(sandbox);
    expect((await next.prompt(LIMITER.question)).told).toContain("`TokenBucket` for each API key");
    expect((await new Client(sandbox).prompt(UNRELATED)).told).toBeNull();
    expect((await new Client(sandbox).prompt("thanks, looks good")).told).toBeNull();
  });

  test("answers by words while its text has no vectors", async () => {
    const { transcript } = await decided({ isNoticed: false });
    const { stdout } = await sandbox.run(["ingest", "--text-only", transcript]);
    expect(stdout).toContain("0 embedded, 2 still to embed");
    expect((await new Client(sandbox).prompt(LIMITER.question)).told).toContain(
      "`TokenBucket` for each API key",
    );
    expect((await new Client(sandbox).prompt(UNRELATED)).told).toBeNull();
  });

  test("answers by words where the embedding runtime takes too long for a hook", async () => {
    await decided();
    await workerDone(sandbox);
    const env = { MEMENTOR_EMBEDDING_RUNTIME: "wasm" };
    expect((await new Client(sandbox, env).prompt(LIMITER.question)).told).toContain(
      "`TokenBucket` for each API key",
    );
    expect((await new Client(sandbox, env).prompt(UNRELATED)).told).toBeNull();
  });
});

describe("a memory of a decision and a later session", () => {
  /** A second conversation, five days later. */
  async function later(prompt: string, answer: string): Promise<void> {
    const claude = new Client(sandbox, {}, 25);
    claude.asked(prompt);
    claude.say(answer);
    await claude.stop();
    await workerDone(sandbox);
  }

  test("tells a decision also when later work builds on it", async () => {
    await decided();
    await later(
      "Show customers how many requests they have left.",
      "Each answer of the public API has a header with the tokens that are left in the bucket of its key.",
    );
    const { told } = await new Client(sandbox).prompt(LIMITER.question);
    expect(told).toMatch(/^1\. 2026-11-20, .*\n> the user: How should src\/api\/limits\.ts limit/m);
  });
});

describe("a memory that another process uses", () => {
  test.each([
    ["writes to", "BEGIN IMMEDIATE", true],
    ["keeps for itself", "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", null],
  ])("which %s it ends no hook", async (_what, lock, isTold) => {
    await decided();
    await workerDone(sandbox);
    const db = new Database(database());
    try {
      db.exec(lock);
      const client = new Client(sandbox, isTold ? {} : IMPATIENT);
      const { exitCode, stderr, told } = await client.prompt(LIMITER.question);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      if (isTold) expect(told).toContain("`TokenBucket` for each API key");
    } finally {
      db.close();
    }
  });
});

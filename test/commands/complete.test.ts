import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import { batch, openStore, source, tempDir, turn } from "../store/builders.ts";
import { runIn } from "../support/host.ts";

const SESSION = "aaaa1111-0000-4000-8000-000000000001";
const AT = "2026-06-01T10:00:00Z";

test("what a shell offers are the names that the memory knows, without what a shell might run", async () => {
  const directory = tempDir();
  const file = join(directory.path, "m.db");
  mkdirSync(join(directory.path, "kettle", ".git"), { recursive: true });
  const store = await openStore(file, { model: BUILT_IN_MODEL });
  const said = (index: number, branch: string) =>
    turn(index, "[User] Why does the\tvalve leak?\n\n[Assistant] The seal.", {
      ...{ sessionId: SESSION, createdAt: AT, branch },
      commits: index === 0 ? [{ hash: "0f".repeat(20), message: "Seal the valve" }] : [],
    });
  await store.ingest.write(
    batch([said(0, "feat/valve"), said(1, "$(reboot)")], {
      source: source({ path: "/k.jsonl", sessionId: SESSION }),
      sessions: [
        {
          ...{ sessionId: SESSION, client: "claude-code", projectDir: null, title: "The leak" },
          ...{ titleSource: null, firstPrompt: "Begin", automated: null, branch: "feat/valve" },
          ...{ startedAt: AT, endedAt: AT },
        },
      ],
    }),
  );
  await store.close();
  const place = { cwd: join(directory.path, "kettle"), homeDir: directory.path, now: new Date(AT) };
  const offered = async (...kinds: string[]) =>
    (await runIn({ ...place, argv: ["complete", ...kinds, "--db", file] })).stdout;
  expect({
    branches: await offered("branches"),
    said: await offered("turns", "sessions"),
    commits: await offered("commits"),
    answers: await offered("answers"),
  }).toEqual({
    branches: "feat/valve\t\n",
    said: "2\tWhy does the valve leak?\n1\tWhy does the valve leak?\naaaa1111\tThe leak\n",
    commits: "0f0f0f0f\tSeal the valve\n",
    answers: "",
  });
  // Where there is no memory, a key that was pressed says nothing.
  expect(await runIn({ ...place, argv: ["complete", "turns"] })).toEqual({
    ...{ exitCode: 0, stdout: "", stderr: "" },
  });
});

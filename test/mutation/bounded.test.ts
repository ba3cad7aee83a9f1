import { expect, test } from "bun:test";
import { type Bounds, runBounded } from "./bounded.ts";

const FAR: Bounds = { timeoutMs: 60_000, maxMemory: 2 ** 40 };

async function run(program: string, bounds: Partial<Bounds>) {
  const place = { cwd: import.meta.dir, env: process.env };
  const { ms: _, ...ended } = await runBounded(
    [process.execPath, "-e", program],
    { ...FAR, ...bounds },
    place,
  );
  return ended;
}

test("a command that stays inside its bounds gives its exit code and what it said", async () => {
  expect(await run("console.error('so'); process.exit(3)", {})).toEqual({
    exitCode: 3,
    stopped: null,
    stderr: "so\n",
  });
});

test("an endless loop is stopped when its time is up", async () => {
  expect(await run("for (;;);", { timeoutMs: 200 })).toEqual({ exitCode: null, stopped: "time", stderr: "" });
});

test("what allocates without end is stopped at its bound of memory, also inside a loop that never yields", async () => {
  const program = "const held = []; for (;;) held.push(new Uint8Array(1e6).fill(1));";
  expect(await run(program, { maxMemory: 300e6 })).toEqual({ exitCode: null, stopped: "memory", stderr: "" });
});

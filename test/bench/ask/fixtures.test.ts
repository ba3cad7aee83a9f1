import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layOut, layOutHidden } from "./checkout.ts";
import { readTalks, readTasks, saidIn, type Task } from "./tasks.ts";
import { passingFiles } from "./test-runs.ts";

const tasks = readTasks();
const fixesOf = ({ kind }: Task) =>
  kind === "absent" ? ["right", "right-2"] : ["right", "wrong-1", "wrong-2"];

test("visible tests fail before and pass with each fix; hidden ones pass with the right fix alone", async () => {
  const directory = mkdtempSync(join(tmpdir(), "mementor-ask-"));
  const checkouts = tasks.flatMap((task) =>
    ["repo", ...fixesOf(task)].map((fix) => {
      const name = `${task.id}-${fix}`;
      layOut(task, "repo", join(directory, name));
      if (fix !== "repo") layOut(task, fix, join(directory, name));
      return { task, fix, name, hidden: layOutHidden(task, join(directory, name)) };
    }),
  );
  const passing = await passingFiles(directory);
  rmSync(directory, { recursive: true, force: true });
  const passes = (name: string, files: string[]) => files.every((file) => passing.has(`${name}/${file}`));
  const found = checkouts.map(({ task, name, hidden }) => ({
    name,
    visible: passes(name, task.visible),
    hidden: passes(name, hidden),
  }));
  const expected = checkouts.map(({ fix, name }) => ({
    name,
    visible: fix !== "repo",
    hidden: fix.startsWith("right"),
  }));
  expect(found).toEqual(expected);
});

test.each(tasks)(
  "$id: its rule was settled in its last conversation, and said nowhere in the task",
  (task) => {
    const [older, newer] = task.kind === "amended" ? task.sessions : [undefined, task.sessions[0]];
    const says = (session: typeof newer, words: string) =>
      session !== undefined && saidIn(session).some((said) => said.includes(words));
    expect(task.sessions.length).toBe({ rule: 1, amended: 2, absent: 0 }[task.kind]);
    if (task.kind === "absent") return;
    expect({ at: newer?.at.slice(0, 10), isSettled: says(newer, task.settled) }).toEqual({
      at: task.since,
      isSettled: true,
    });
    if (task.kind === "amended") expect(says(older, task.older)).toBe(true);
    expect(task.prompt.split(/\s+/).length).toBeLessThanOrEqual(90);
  },
);

test("there are enough tasks of each kind, among enough conversations", () => {
  const kinds = Object.groupBy(tasks, ({ kind }) => kind);
  const counts = Object.fromEntries(Object.entries(kinds).map(([kind, of]) => [kind, of?.length]));
  expect(counts).toEqual({ rule: 22, amended: 8, absent: 6 });
  const ids = readTalks().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const ofTasks = tasks.reduce((sum, { sessions }) => sum + sessions.length, 0);
  expect(ids.length - ofTasks).toBeGreaterThanOrEqual(150);
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { enabled } from "../support/enabled.ts";
import { LIMITER } from "../support/limiter.ts";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

const { question: QUESTION, rephrased: REPHRASED, other: OTHER, file: FILE } = LIMITER;
const [PROMPT, ANSWER] = LIMITER.decided;
/** As lists and answers show it, cut between words. */
const CUT_PROMPT = PROMPT.replace(/ `FixedWindow`\?$/, "…");

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
  const claude = new Client(sandbox);
  claude.asked(PROMPT);
  claude.say(ANSWER);
  await claude.tool("Edit", { file_path: `${sandbox.project}/${FILE}`, old_string: "a", new_string: "b" });
  await claude.stop();
  await workerDone(sandbox);
});
afterEach(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

/** What a new session is told for a prompt. */
async function told(prompt: string): Promise<string | null> {
  return (await new Client(sandbox).prompt(prompt)).told;
}

/** A session that works on the limiter, which only the file hook tells about. */
async function atWork(): Promise<Client> {
  const claude = new Client(sandbox, { MEMENTOR_RECALL_PROMPT: "off" });
  await claude.prompt(
    "A fixed window lets a client through twice at its edge: how large are the bursts of an API key now?",
  );
  return claude;
}

async function out(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await sandbox.run(args);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
}

test("a bad answer is not told for the same question again, and still for another one", async () => {
  expect(await told(QUESTION)).toContain("`TokenBucket` for each API key");
  expect(await out("mark", "bad")).toMatch(
    /^Marked as bad: answer \d+ \(“Why does src.*”, just now\)\n {2}1 {2}How should src.*\nIt is no longer told for prompts like this one\.\nTo undo: mementor mark bad \d+ --undo\n$/,
  );
  expect([await told(QUESTION), await told(REPHRASED)]).toEqual([null, null]);
  const [{ reason, turns }] = JSON.parse(await out("told", "--json")).answers;
  expect(reason).toBe("what it would tell was marked as bad for such a prompt");
  expect(turns.map((turn: { turn_id: number }) => turn.turn_id)).toEqual([1]);
  expect(await told(OTHER)).toContain("bursts of 20");
  expect(await out("search", "TokenBucket", "--no-pager")).toContain("TokenBucket");
  expect(await out("told", "--no-pager")).toMatch(/ {4}1 \[bad\] {2}How should src/);
  const { marks } = JSON.parse(await out("mark", "--json"));
  expect(marks).toEqual([
    {
      ...{
        mark: "bad",
        turn_id: 1,
        title: PROMPT,
      },
      ...{ time: expect.any(String), answer: expect.any(Number), prompt: QUESTION, file: null },
    },
  ]);
  expect(await out("mark", "bad", "--undo")).toContain("No longer marked as bad: answer");
  expect(await told(REPHRASED)).toContain("`TokenBucket` for each API key");
  expect(await out("mark")).toContain("Nothing is marked yet.");
});

test("a mark that takes the place of the other one says so", async () => {
  await told(QUESTION);
  expect(await out("mark", "good")).not.toContain("replaces");
  expect(await out("mark", "bad")).toMatch(
    /^Marked as bad: .*\n {2}1 .*\nThis replaces the mark "good"\.\nIt is no longer told for prompts like this one\.\n/,
  );
  expect(JSON.parse(await out("mark", "good", "--json"))).toMatchObject({
    mark: "good",
    turns: [1],
    replaced: [1],
  });
  expect(await out("mark", "good")).not.toContain("replaces");
});

test("a muted turn is left out by every hook, and found by search", async () => {
  expect(await out("mark", "mute", "1")).toBe(
    `Turn 1 (${CUT_PROMPT}) is muted: no hook tells it. Search still finds it.\nTo undo: mementor mark mute 1 --undo\n`,
  );
  expect(await out("mark", "mute", "1")).toContain("is already muted.");
  expect(await told(QUESTION)).toBe(null);
  const claude = await atWork();
  const read = () => claude.tool("Read", { file_path: `${sandbox.project}/${FILE}` });
  expect((await read())?.told).toBe(null);
  const silent = Number(
    /#(\d+) {2}pre-tool-use {2}silent: nothing to tell {2}\d+ ms {2}(.*)\n$/.exec(
      await out("told", "--log"),
    )?.[1],
  );
  expect(await out("told", `${silent}`)).toMatch(
    /^The agent was told nothing\.\n#\d+ .* {2}file {2}silent: nothing to tell.*\n {4}src\/api\/limits\.ts\n$/,
  );
  expect(await out("told", "--no-pager", "-n", "9")).toMatch(
    /silent: what it would tell is muted .*\n.*\n {4}1 \[muted\] {2}How/,
  );
  expect(await out("search", "TokenBucket", "--no-pager")).toContain("TokenBucket");
  expect(await out("show", "1", "--no-pager")).toMatch(/^turn 1 .* \[muted\]\n/);
  const shown = JSON.parse(await out("show", "1", "--json"));
  expect(shown.marks).toEqual(["mute"]);
  expect(await out("show", shown.session_id, "--no-pager")).toMatch(/^turn 1 .* \[muted\]$/m);
  const [first] = JSON.parse(await out("show", shown.session_id, "--json")).turns;
  expect([first.turn_id, first.marks]).toEqual([1, ["mute"]]);
  expect(await out("mark", "mute", "1", "--undo")).toContain("is no longer muted");
  expect((await read())?.told).toContain(FILE);
  expect(await told(QUESTION)).toContain("`TokenBucket` for each API key");
});

test("an answer about a file can be bad for that file", async () => {
  const first = await atWork();
  const read = (client: Client) => client.tool("Read", { file_path: `${sandbox.project}/${FILE}` });
  expect((await read(first))?.told).toContain(FILE);
  const [{ id, file }] = JSON.parse(await out("told", "--json")).answers;
  expect(file).toBe(FILE);
  expect(await out("mark", "bad", `${id}`)).toContain("It is no longer told for this file.");
  expect((await read(await atWork()))?.told).toBe(null);
  expect(await told(QUESTION)).toContain("`TokenBucket` for each API key");
});

test("good answers, pins, and what is wrong", async () => {
  await told(QUESTION);
  const marked = JSON.parse(await out("mark", "good", "--json"));
  const { answer } = marked;
  expect(marked).toEqual({
    ...{ answer: expect.any(Number), mark: "good", marked: true, turns: [1], changed: 1, replaced: [] },
  });
  expect(await out("mark", "pin", "1")).toContain("is pinned: pruning keeps it.");
  await out("forget", "--before", "1d", "--prune", "--yes");
  expect(await out("mark")).toMatch(/^MARK +TURN .*\npinned +1 .*\ngood +1 .*\n$/);
  const wrong: Record<string, string> = {};
  for (const args of [
    ["mute", "99"],
    ["pin", "x"],
    ["bad", "99"],
    ["good", `${answer}`, "7"],
    ["bad", "--undo"],
  ]) {
    const { stderr, exitCode } = await sandbox.run(["mark", ...args]);
    expect(exitCode).toBe(args[0] === "good" ? 64 : 1);
    wrong[args.join(" ").replace(`${answer}`, "<n>")] = stderr.replace(`answer ${answer}`, "answer <n>");
  }
  expect(wrong).toMatchInlineSnapshot(`
    {
      "bad --undo": 
    "mementor: No answer is marked as bad.
      Run "mementor mark" for a list of all marks.
    "
    ,
      "bad 99": 
    "mementor: There is no answer 99.
      Run "mementor told" for a list.
    "
    ,
      "good <n> 7": 
    "mementor: Turn 7 is not in answer <n>.
      It told turn 1. To keep a turn out of all hooks, run: mementor mark mute <turn>
    "
    ,
      "mute 99": 
    "mementor: There is no turn 99.
      It may have been forgotten. Run "mementor recent" or "mementor told" for a list of turns.
    "
    ,
      "pin x": 
    "mementor: "x" is not the number of a turn.
      Run "mementor recent" or "mementor told" for a list of turns.
    "
    ,
    }
  `);
});

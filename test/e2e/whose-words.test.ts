import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runIn } from "../support/host.ts";
import { Sandbox } from "../support/sandbox.ts";
import { PASTES, REPORTS, SENT } from "../support/strangers.ts";

/** Names that tell the conversations apart. */
const FIRST = ["amber", "birch", "cobalt", "dune", "ember", "fjord", "garnet", "harbor", "indigo", "juniper"];
const SECOND = [
  "gantry",
  "kettle",
  "lantern",
  "mill",
  "orchard",
  "paddle",
  "quarry",
  "rudder",
  "sluice",
  "turbine",
];
/** What only a stranger says. */
const STRANGE = /vendor installer/i;

interface Case {
  kind: string;
  prompt: string;
  sent: readonly object[];
  call: object | null;
  answer: string;
}

const ANSWER = "The release job builds the DEPOT, since only its runner has the keys.";
const CASES: readonly Case[] = [
  ...PASTES.map(([kind, prompt]) => ({ kind, prompt, sent: [], call: null, answer: ANSWER })),
  ...SENT.filter(([, origin]) => origin !== null && origin !== "subagent").map(([kind, , sent]) => ({
    ...{ kind, prompt: "OWN", sent, call: null, answer: ANSWER },
  })),
  ...REPORTS.map(([kind, prompt, call, answer]) => ({ kind, prompt, sent: [], call, answer })),
];

/** Where the conversation of a case took place: each is about another depot. */
function depot(at: number): string {
  return `${FIRST[at % FIRST.length]} ${SECOND[Math.floor(at / FIRST.length)]}`;
}

function transcriptOf({ prompt, sent, call, answer }: Case, at: number, cwd: string): string {
  const message = (role: string, content: unknown) => ({ type: role, message: { role, content } });
  const entries: object[] = [
    message("user", prompt),
    ...(call === null ? [] : [message("assistant", [call])]),
    message("assistant", [{ type: "text", text: sent.length > 0 ? "Done." : answer }]),
    ...sent,
    ...(sent.length > 0 ? [message("assistant", [{ type: "text", text: answer }])] : []),
  ];
  return entries
    .map((entry, line) => {
      const timestamp = new Date(Date.UTC(2026, 9, 1, at % 24, line)).toISOString();
      const uuid = `u-${at}-${line}`;
      return JSON.stringify({ uuid, sessionId: sessionOf(at), cwd, timestamp, ...entry })
        .replaceAll("OWN", `How do we deploy the ${depot(at)}?`)
        .replaceAll("DEPOT", depot(at))
        .replaceAll(/Deploys must/gi, (start) => `${start.slice(0, 7)} of the ${depot(at)} must`);
    })
    .join("\n");
}

function sessionOf(at: number): string {
  return `5e550000-0000-4000-8000-${`${at}`.padStart(12, "0")}`;
}

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  const folder = join(sandbox.home, ".claude/projects", sandbox.project.replaceAll(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  for (const [at, each] of CASES.entries())
    writeFileSync(join(folder, `${sessionOf(at)}.jsonl`), `${transcriptOf(each, at, sandbox.project)}\n`);
  await sandbox.run(["enable", "--no-history"]);
  await sandbox.run(["ingest", folder]);
  await sandbox.run(["ingest", "--now"]);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** Runs a command in this process: of so many, starting the program would be most of the work. */
function runHere(argv: readonly string[]) {
  const { project, home } = sandbox;
  return runIn({ argv, cwd: project, homeDir: home, now: new Date() });
}

/** A whole prompt is shown as it was typed: there a sentence says itself whom it quotes. */
const QUOTES =
  /\[User\] .*(?:\b(?:wrote|says|schreibt|écrit|said)\b[^“"„«]*[“"„«][^”"»]*|[“"„«»‘']\s?Deploys[^”"»«“’']*)$/;

/** The lines in which a stranger's words are told as the user's, or as what Claude found itself. */
function mistaken(text: string): string[] {
  return text.split("\n").filter((line) => {
    if (!STRANGE.test(line)) return false;
    const before = line.slice(0, line.search(STRANGE));
    if (QUOTES.test(before)) return false;
    return /\bthe user(?:'s note)?:|, asked: "|\bClaude: |\bClaude, thinking: |\[User[^\]]*\]|\[Assistant(?:, thinking|, while working)?\]/.test(
      before,
    );
  });
}

test.each(CASES.map((each, at) => [each.kind, at] as const))(
  "%s is told neither as the user's nor as Claude's, whoever asks",
  async (_, at) => {
    const question = `How do we deploy the ${depot(at)} with the vendor installer?`;
    const hook = await sandbox.hook("user-prompt-submit", {
      ...{
        session_id: `asks-${at}`,
        cwd: sandbox.project,
        hook_event_name: "UserPromptSubmit",
        prompt: question,
      },
    });
    const recalled = await runHere(["recall", question]);
    const [, turn] = /--show (\d+)/.exec(recalled.stdout) ?? [];
    const shown = turn === undefined ? "" : (await runHere(["recall", "--show", turn])).stdout;
    const told = hook.stdout === "" ? "" : JSON.parse(hook.stdout).hookSpecificOutput.additionalContext;
    expect({ hook: mistaken(told), recall: mistaken(recalled.stdout), show: mistaken(shown) }).toEqual({
      ...{ hook: [], recall: [], show: [] },
    });
    expect(recalled.exitCode).toBe(0);
  },
);

test("lists name nothing that a stranger wrote as what was asked", async () => {
  const { stdout } = await sandbox.run(["recent", "-n", "500"]);
  const rows = stdout.split("\n").filter((line) => STRANGE.test(line));
  expect(
    rows.filter(
      (line) => !/Pasted: |\[[^\]]*(?:another|a message|scheduled|server|program|unknown)/.test(line),
    ),
  ).toEqual([]);
});

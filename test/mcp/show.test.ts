import { describe, expect, test } from "bun:test";
import { renderTurnAnswer, type TurnPage } from "../../src/mcp/show.ts";
import { renderTurnsAnswer } from "../../src/mcp/text/turns.ts";
import { tell } from "../../src/recall/telling/agent-text.ts";
import type { StoredTurn } from "../../src/store/stored.ts";
import { composeText, type PartContent } from "../../src/turn/text.ts";
import { aTurn } from "../recall/made.ts";

function turnOf(turnId: number, pieces: readonly PartContent[], facts: Partial<StoredTurn> = {}): StoredTurn {
  return aTurn({ turnId, sessionId: "s", ...composeText(pieces), ...facts });
}

const PROPOSAL = turnOf(1, [
  { kind: "prompt", text: "How long do we wait for the gateway?" },
  { kind: "thinking", text: "Ten seconds, perhaps." },
  { kind: "narration", text: "Let me look at the gateway." },
  { kind: "tools", text: 'Bash(cmd="cat gateway.ts")' },
  { kind: "narration", text: "Now its tests." },
  { kind: "errors", text: "Exit code 1" },
  { kind: "answer", text: "I propose ten seconds." },
  { kind: "forward", text: "hm" },
]);
const OVERRULED = [
  turnOf(2, [{ kind: "prompt", text: "hm, what does the partner say?" }]),
  turnOf(3, [{ kind: "prompt", text: "no, 30 seconds" }]),
];

const page = (given: Partial<TurnPage>): TurnPage => ({
  ...{ turn: PROPOSAL, next: OVERRULED, thinking: false, offset: 0, maxTokens: 1_333, by: "command" },
  ...given,
});
const shownOf = (given: Partial<TurnPage>): unknown =>
  renderTurnAnswer(page(given)).structured.results[0]?.text;

describe("a turn", () => {
  test("is shown from its end, with what the user said next, and without its thinking", () => {
    expect(shownOf({})).toBe(
      [
        "[Assistant] I propose ten seconds.",
        "[User, next, turn 2] hm, what does the partner say?",
        "[User, next, turn 3] no, 30 seconds",
        "[User] How long do we wait for the gateway?",
        "[Assistant, while working] Let me look at the gateway.\n\nNow its tests.",
        '[Tools] Bash(cmd="cat gateway.ts")',
        "[Errors] Exit code 1",
      ].join("\n\n"),
    );
    expect(renderTurnAnswer(page({})).text).toContain(
      "\nLeft out: 21 characters of the thinking. To get it: the thinking with --thinking.\n",
    );
    expect(shownOf({ thinking: true })).toEndWith("\n\n[Assistant, thinking] Ten seconds, perhaps.");
  });

  test("has what was said last in the place of an answer, and the prompt after it where nothing else knows it", () => {
    const open = turnOf(1, [
      { kind: "prompt", text: "Try it." },
      { kind: "narration", text: "Trying it now." },
      { kind: "tools", text: "Bash" },
      { kind: "forward", text: "stop" },
    ]);
    expect(shownOf({ turn: open, next: [] })).toBe(
      "[Assistant, while working] Trying it now.\n\n[User, next] stop\n\n[User] Try it.\n\n[Tools] Bash",
    );
  });

  test("shows what was pasted apart, in its prompt and in those after it", () => {
    const prompt =
      'Check the gate.\n\n> Keep it open.\n\nThe mail says "open the gate at six on every day". Is that so?';
    const marked = (label: string) =>
      `${label}Check the gate.\n\n[Pasted] > Keep it open.\n\n${label}The mail says \n[Pasted] "open the gate at six on every day".\n${label}Is that so?`;
    const turn = turnOf(1, [
      { kind: "prompt", text: prompt },
      { kind: "answer", text: "It is." },
      { kind: "forward", text: prompt },
    ]);
    const after = turnOf(2, [{ kind: "prompt", text: prompt }]);
    expect(shownOf({ turn, next: [after] })).toContain(`\n\n${marked("[User, next, turn 2] ")}`);
    expect(shownOf({ turn, next: [] })).toContain(`\n\n${marked("[User, next] ")}\n\n${marked("[User] ")}`);
  });

  test("gives nobody else's words as what its user said next", () => {
    const [own] = OVERRULED;
    const others = [
      turnOf(4, [{ kind: "prompt", text: "a colleague's" }], { foreign: "team", author: "mallory" }),
      turnOf(5, [{ kind: "prompt", text: "a notice" }], { origin: "automated" }),
    ];
    expect(shownOf({ next: [...others, ...(own ? [own] : [])] })).not.toMatch(/colleague|notice/);
  });

  test("keeps within 4,000 characters however long its parts are, each of them begun", () => {
    const long = (kind: PartContent["kind"]) => ({ kind, text: `${kind} ${"and so on ".repeat(900)}` });
    const turn = turnOf(1, [
      long("prompt"),
      long("thinking"),
      long("narration"),
      long("tools"),
      long("answer"),
    ]);
    const next = [turnOf(2, [long("prompt")])];
    const { text, structured } = renderTurnAnswer(page({ turn, next }));
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text.length).toBeGreaterThan(3_000);
    expect(text).toMatch(/> \[Assistant\] answer[\s\S]*\[User, next, turn 2\] prompt[\s\S]*\[User\] prompt/);
    expect(text).toMatch(
      /\nLeft out: .* the answer, .* what the user said next, .*: the same call with --cursor 1;/,
    );
    expect(structured.next_cursor).toBe("1");
  });
});

test("several turns are shown in order, the last with what the user said next", () => {
  const answered = (turnId: number) =>
    turnOf(turnId, [
      { kind: "prompt", text: `Ask ${turnId}?` },
      { kind: "tools", text: "Read(a.ts)" },
      { kind: "answer", text: `Answer ${turnId}. ${"Because. ".repeat(40)}` },
    ]);
  const turns = Array.from({ length: 12 }, (_, i) => answered(i + 1));
  const heading = tell`Turns 1 to 12`;
  const rest = { heading, total: 12, after: [], offset: 0, maxTokens: 1_333, by: "command" as const };
  const { text, structured } = renderTurnsAnswer({ ...rest, turns });
  const shown = structured.results.length;
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(structured).toMatchObject({ total: 12, next_cursor: `${shown}` });
  expect(text).toContain(`\n${12 - shown} later turns left out: the same call with --cursor ${shown}.\n`);
  expect(structured.results[0]?.text).toStartWith("[User] Ask 1?\n\n[Assistant] Answer 1.");
  expect(structured.results.at(-1)?.text).toContain(`[User, next, turn ${shown + 1}] Ask ${shown + 1}?`);
});

test("several short turns are whole, though their steps are left out", () => {
  const turns = [1, 2].map((turnId) =>
    turnOf(turnId, [
      { kind: "prompt", text: `Ask ${turnId}?` },
      { kind: "tools", text: "Read(a.ts)" },
      { kind: "answer", text: `Answer ${turnId}.` },
    ]),
  );
  const rest = { total: 2, after: [], offset: 0, maxTokens: 1_333, by: "command" as const };
  const { text } = renderTurnsAnswer({ ...rest, heading: tell`Turns 1 to 2`, turns });
  expect(text).toContain("Answer 2.");
  expect(text).not.toContain("Shortened");
});

test("of several turns a long one gets the room that short ones leave", () => {
  const long = `Because ${"of the second depot and its gates ".repeat(60)}it is five.`;
  const turns = [1, 2, 3, 4].map((turnId) =>
    turnOf(turnId, [
      { kind: "prompt", text: `Ask ${turnId}?` },
      { kind: "answer", text: turnId === 2 ? long : `Answer ${turnId}.` },
    ]),
  );
  const rest = { total: 4, after: [], offset: 0, maxTokens: 1_333, by: "command" as const };
  const { text } = renderTurnsAnswer({ ...rest, heading: tell`Turns 1 to 4`, turns });
  expect(text).toContain("it is five.");
  expect(text).not.toContain("Shortened");
});

test("of a long answer among several turns the sentences that decide are shown, and a short prompt is whole", () => {
  const filler = "The worker read another file of the depot and its gates. ".repeat(40);
  const asked =
    "No, not per depot: the courier must wait as long as the slowest gate, in spring and in autumn, wherever it is.";
  const turns = Array.from({ length: 8 }, (_, i) =>
    turnOf(i + 1, [
      { kind: "prompt", text: asked },
      {
        kind: "answer",
        text: `${filler}\n\nSo from now on the courier must always wait thirty seconds. ${filler}`,
      },
    ]),
  );
  const rest = { total: 8, after: [], offset: 0, maxTokens: 1_333, by: "command" as const };
  const { text } = renderTurnsAnswer({ ...rest, heading: tell`Turns 1 to 8`, turns });
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(text.split(asked)).toHaveLength(9);
  expect(text.split("must always wait thirty seconds.")).toHaveLength(9);
});

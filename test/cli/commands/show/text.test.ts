import { expect, test } from "bun:test";
import { type MarkedTurn, renderSession } from "../../../../src/cli/commands/show/text.ts";
import { printPaged } from "../../../../src/cli/terminal/pager.ts";
import { type Screen, styleFor } from "../../../../src/cli/terminal/screen.ts";
import type { Host } from "../../../../src/host.ts";
import type { SessionSummary } from "../../../../src/store/browse.ts";
import { composeText } from "../../../../src/turn/text.ts";
import { aTurn } from "../../../recall/made.ts";

const SCREEN: Screen = {
  style: styleFor({ isTerminal: false }, { LANG: "en_US.UTF-8" }),
  width: null,
  now: new Date("2026-03-04T12:00:00Z"),
};
const SESSION = {
  sessionId: "5e550000",
  client: "claude-code",
  foreign: null,
  author: null,
  turns: 0,
  title: null,
  firstPrompt: null,
} as SessionSummary;

/** A session of so many turns, and a count of those that were rendered. */
function marathon(turns: number): { marked: MarkedTurn[]; rendered: Set<number> } {
  const rendered = new Set<number>();
  const marked = Array.from({ length: turns }, (_, n) => {
    const text = composeText([{ kind: "prompt", text: `Kilometre ${n}\nstill running` }]);
    const turn = aTurn({ turnId: n + 1, ...text });
    return {
      marks: [],
      get turn() {
        rendered.add(n);
        return turn;
      },
    };
  });
  return { marked, rendered };
}

test("a session begins after as many turns as fill the first screens, however long it is", () => {
  const seen = [400, 4_000].map((turns) => {
    const { marked, rendered } = marathon(turns);
    const parts = renderSession(SESSION, { summaries: [], marked }, SCREEN, false)[Symbol.iterator]();
    parts.next();
    return rendered.size;
  });
  expect(seen[0]).toBe(seen[1] ?? 0);
  expect(seen[0]).toBeLessThan(100);
});

test("each turn stands in a session once, in its order", () => {
  const { marked } = marathon(300);
  const whole = [...renderSession(SESSION, { summaries: [], marked }, SCREEN, false)].join("");
  const said = [...whole.matchAll(/Kilometre (\d+)$/gm)].map(([, n]) => Number(n));
  expect(said).toEqual(Array.from({ length: 300 }, (_, n) => n));
});

test("what is printed in parts is written part by part", async () => {
  const log: string[] = [];
  function* parts() {
    for (const part of ["one\n", "two\n"]) {
      log.push(`makes ${part}`);
      yield part;
    }
  }
  const stdout = { isTerminal: false, write: (text: string) => log.push(`writes ${text}`) };
  await printPaged({ stdout, env: {}, platform: "linux" } as unknown as Host, parts(), true);
  expect(log).toEqual(["makes one\n", "writes one\n", "makes two\n", "writes two\n"]);
});

test("a pager that is left early ends the text, and nothing is written after it", async () => {
  let made = 0;
  function* parts() {
    for (; made < 5_000; made++) yield `${"a long line ".repeat(100)}\n`;
  }
  const log: string[] = [];
  const stdout = { isTerminal: true, columns: null, write: (text: string) => log.push(text) };
  const env = { PAGER: "head -n 1 > /dev/null", PATH: process.env.PATH };
  await printPaged({ stdout, env, platform: "linux" } as unknown as Host, parts(), true);
  expect(log).toEqual([]);
  expect(made).toBeLessThan(5_000);
});

test("a prompt at the end of a turn is not repeated at the head of the next one", () => {
  const texts = [
    composeText([
      { kind: "prompt", text: "Why is it slow?" },
      { kind: "forward", text: "Then mend it" },
    ]),
    composeText([
      { kind: "prompt", text: "Then mend it" },
      { kind: "forward", text: "Thanks" },
    ]),
  ];
  const marked = texts.map((text, at) => ({ turn: aTurn({ turnId: at + 1, ...text }), marks: [] }));
  const whole = [...renderSession(SESSION, { summaries: [], marked }, SCREEN, false)].join("");
  expect(whole.match(/^\[(?:User|Next prompt)\].*$/gm)).toEqual([
    "[User] Why is it slow?",
    "[User] Then mend it",
    "[Next prompt] Thanks",
  ]);
});

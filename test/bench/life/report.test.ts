import { expect, test } from "bun:test";
import type { Call } from "./call.ts";
import { columnsOf } from "./columns.ts";
import { judge } from "./judged.ts";
import { parseLabels } from "./labels.ts";
import { counted, reportOf } from "./report.ts";
import { worthOf } from "./worth.ts";

const call = (
  line: number,
  turns: [line: number, hash: string | null][],
  more: Partial<Call> = {},
): Call => ({
  kind: "prompt",
  corpus: "tide",
  session: "s",
  line,
  time: "2026-03-01T10:00:00.000Z",
  place: "first",
  tool: null,
  chars: turns.length * 100,
  ms: 40,
  turns: turns.map(([at, hash]) => ({ session: "old", line: at, turnId: at, hash })),
  ...more,
});
const prompt = (line: number, need: number, ...candidates: [line: number, turn: number][]) =>
  JSON.stringify({
    ...{ corpus: "tide", session: "s", line, half: "fit", need, by: "us" },
    candidates: candidates.map(([line, turn]) => ({ session: "old", line, turn })),
  });
const answer = (
  line: number,
  net: number | null,
  ...items: [line: number, passage: number | null, hash: string][]
) =>
  JSON.stringify({
    ...{ corpus: "tide", session: "s", line, version: "v1", net },
    items: items.map(([line, passage, hash]) => ({ session: "old", line, turn: null, passage, hash })),
  });

const LABELS = parseLabels([
  prompt(1, 0, [10, 0]),
  prompt(2, 0),
  prompt(3, 1, [10, 3], [11, 1]),
  prompt(4, 2, [10, 2]),
  prompt(5, 1, [11, 1]),
  answer(1, -1, [10, 0, "aa"]),
  answer(3, 1, [10, 3, "aa"], [11, 1, "bb"]),
  answer(3, null, [10, 2, "cc"]),
  answer(7, 1, [10, 2, "ee"]),
  answer(8, -1, [10, 0, "ff"]),
]);
const CALLS = [
  call(1, [[10, "aa"]]),
  call(2, []),
  call(3, [
    [11, "bb"],
    [10, "aa"],
  ]),
  call(4, [
    [12, "dd"],
    [10, null],
  ]),
  call(5, []),
  call(6, [[10, "aa"]]),
  call(1, [], { kind: "file", tool: "Read" }),
  call(7, [[10, "ee"]], { kind: "file", tool: "Read", chars: 80 }),
  call(8, [[10, "ff"]], { kind: "file", tool: "Edit", chars: 80 }),
  call(9, [[10, "ff"]], { kind: "file", tool: "Edit", chars: 80 }),
];

test("what is told is counted against what readers said; what nobody judged is neither right nor wrong", () => {
  expect(worthOf(judge(CALLS, LABELS))).toEqual({
    noNeed: { hits: 1, of: 2 },
    told: { hits: 2, of: 2 },
    turns: { hits: 2, of: 4 },
    statements: { hits: 1, of: 3 },
    nothingToTell: { hits: 0, of: 1 },
    helps: { hits: 1, of: 2 },
    misleads: { hits: 1, of: 2 },
    unjudged: { turns: 1, statements: 1, answers: 1, prompts: 0 },
  });
});

test("a told turn that nobody judged is no turn missed, and no answer to a prompt without any to tell", () => {
  const calls = [
    call(3, [
      [12, null],
      [11, null],
    ]),
    call(4, [
      [12, null],
      [10, null],
    ]),
    call(5, [[12, null]]),
    call(5, [[11, null]], { time: "2026-03-01T11:00:00.000Z" }),
  ];
  expect(worthOf(judge(calls, LABELS))).toMatchObject({
    told: { hits: 1, of: 1 },
    nothingToTell: { hits: 1, of: 1 },
    unjudged: { turns: 3, prompts: 2 },
  });
});

test("an answer with other statements is not judged, but its judged statement is found again", () => {
  const [other] = judge([call(3, [[10, "cc"]])], LABELS);
  expect(other).toMatchObject({ turns: [3], statements: [2], net: null });
});

test("where several readers judged a prompt, the last of them counts", () => {
  const later = parseLabels([prompt(1, 0, [10, 1], [11, 2]), prompt(1, 2, [10, 3])]);
  const [both] = judge(
    [
      call(1, [
        [10, null],
        [11, null],
      ]),
    ],
    later,
  );
  expect(both).toMatchObject({ label: { need: 2 }, turns: [3, 2] });
});

test("a count has its share and the 95 % interval after Wilson", () => {
  expect([
    counted({ hits: 8, of: 15 }),
    counted({ hits: 0, of: 20 }),
    counted({ hits: 3, of: 3 }),
    counted({ hits: 0, of: 0 }),
  ]).toEqual(["8/15 = .53 (.30–.75)", "0/20 = .00 (.00–.16)", "3/3 = 1.00 (.44–1.00)", "-"]);
});

test("small histories stand together", () => {
  const many = Array.from({ length: 50 }, (_, line) => call(line, []));
  const others = ["dune", "reef"].map((corpus) => call(1, [], { corpus }));
  const namesOf = (calls: Call[]) => columnsOf(calls).map(({ name }) => name);
  expect([namesOf(CALLS), namesOf([...many, ...others]), namesOf(others)]).toEqual([
    ["tide"],
    ["tide", "others", "all"],
    ["dune", "reef", "all"],
  ]);
});

test("the report has a table for each kind of figure", () => {
  expect(reportOf(CALLS, LABELS)).toMatchInlineSnapshot(`
    "| what is told | tide |
    | --- | --- |
    | prompts | 6 |
    | answered | 4/6 = .67 (.30–.90) |
    | characters of an answer | 150 |
    | turns of an answer | 1.50 |
    | answers with 1, 2, 3 and more turns | 2, 2, 0 |
    | told turns of the session that is told most | 6/6 = 1.00 (.61–1.00) |
    | sessions told of | 1 |
    | mean time of the hook, ms | 40 |

    | answered, turns of an answer | tide |
    | --- | --- |
    | first prompt of a session | 4/6 = .67 (.30–.90), 1.50 |
    | second or third prompt of a session | -, - |
    | later prompt of a session | -, - |

    | file hook | tide |
    | --- | --- |
    | reads and edits | 4 |
    | with a text | 3/4 = .75 (.30–.95) |
    | characters of a text | 80 |
    | that help | 1/2 = .50 (.09–.91) |
    | that distract or mislead | 1/2 = .50 (.09–.91) |
    | not judged | 1 |

    | by the labels | tide |
    | --- | --- |
    | prompts without need that are answered | 1/2 = .50 (.09–.91) |
    | prompts with need and a turn worth telling, told one | 2/2 = 1.00 (.34–1.00) |
    | told turns worth recalling | 2/4 = .50 (.15–.85) |
    | told statements that help | 1/3 = .33 (.06–.79) |
    | prompts with need but nothing to tell that are answered | 0/1 = .00 (.00–.79) |
    | answers that help as a whole | 1/2 = .50 (.09–.91) |
    | answers that mislead | 1/2 = .50 (.09–.91) |
    | not judged: turns, statements, answers, prompts with need | 1, 1, 1, 0 |"
  `);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runHook } from "../../../src/hooks/run.ts";
import { widthOf } from "../../../src/text/width.ts";
import { hostIn, runIn } from "../../support/host.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const WIDTHS = [40, 80, 120];

/** What people write: a prompt, an answer, a file, a branch and the subject of a commit. */
const WORK = [
  {
    prompt: "주전자 온도 센서가 왜 끓기 전에 꺼지는지 확인해줘. 설정 파일도 같이 봐줘",
    answer: "온도 센서는 항상 두 번 읽어야 합니다. 첫 번째 값은 이전 값이기 때문입니다.",
    file: "src/센서/온도측정기.ts",
    branch: "feat/온도-센서",
    commit: "온도 센서를 두 번 읽도록 수정",
  },
  {
    prompt: "ケトルの温度センサーが沸騰前に止まる理由を調べて、設定ファイルも見てください",
    answer: "センサーは必ず二回読むこと。最初の値は前回の値だからです。",
    file: "src/センサー/温度計測.ts",
    branch: "feat/温度センサー",
    commit: "温度センサーを二回読むように修正",
  },
  {
    prompt: "تحقق من سبب توقف مستشعر الحرارة قبل الغليان وانظر إلى ملف الإعدادات!",
    answer: "يجب قراءة المستشعر مرتين دائمًا، لأن القيمة الأولى قديمة.",
    file: "src/مستشعر/حرارة.ts",
    branch: "feat/مستشعر",
    commit: "إصلاح قراءة المستشعر مرتين",
  },
  {
    prompt: "בדוק למה חיישן הטמפרטורה נכבה לפני הרתיחה, וגם את kettle.json",
    answer: "חובה לקרוא את החיישן פעמיים, כי הערך הראשון ישן.",
    file: "src/חיישן/טמפרטורה.ts",
    branch: "feat/חיישן",
    commit: "תיקון קריאת החיישן פעמיים",
  },
  {
    prompt:
      "Pru\u0308fe den Tempe\u0301raturfu\u0308hler 👩‍💻 vor dem Kochen: e\u0301teint trop to\u0302t, नमस्ते दुनिया",
    answer: "Der Fu\u0308hler muss immer zweimal gelesen werden 👨‍👩‍👧, weil der erste Wert alt ist.",
    file: "src/Fu\u0308hler/Temperatur.ts",
    branch: "feat/fu\u0308hler",
    commit: "Fu\u0308hler zweimal lesen",
  },
] as const;
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

const COMMANDS: Record<string, string[]> = {
  home: [],
  search: ["search", "온도 센서", "-k", "5"],
  "search in Hebrew": ["search", "חיישן הטמפרטורה", "-k", "5"],
  explain: ["search", "温度センサー", "-k", "2", "--explain"],
  recent: ["recent"],
  sessions: ["sessions"],
  turns: ["show", "--turns", "00000000-0000-4000-8000-000000000004"],
  "turns in Japanese": ["show", "--turns", "00000000-0000-4000-8000-000000000002"],
  show: ["show", "1"],
  "show in Arabic": ["show", "3"],
  "show a session": ["show", "00000000-0000-4000-8000-000000000004"],
  files: ["files"],
  history: ["files", "src/חיישן/טמפרטורה.ts"],
  commits: ["commits"],
  prs: ["commits", "--prs"],
  related: ["show", "--related", "00000000-0000-4000-8000-000000000001"],
  stats: ["report", "--text"],
  told: ["told"],
  mark: ["mark"],
  forget: ["forget", "src/센서/온도측정기.ts", "--dry-run"],
  prune: ["forget", "--before", "1d", "--prune", "--dry-run"],
  recall: ["recall", "온도 센서는 왜 두 번 읽지?"],
};

let root: string;
let project: string;

beforeAll(async () => {
  root = mkdtempSync("/tmp/mementor-");
  project = join(root, "주전자");
  mkdirSync(join(root, "home"));
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  const folder = join(root, "transcripts");
  mkdirSync(folder);
  for (const at of WORK.keys()) writeFileSync(join(folder, `${sessionId(at)}.jsonl`), transcript(at));
  await run(["enable", "--no-history"]);
  await run(["ingest", folder, "--text-only"]);
  await run(["mark", "mute", "2"]);
  await run(["mark", "bad", "3"]);
  await run(["note", "센서는 항상 두 번 읽는다 — קרא פעמיים"]);
  const prompt = "온도 센서는 왜 두 번 읽어야 하지? 설정 파일에서 확인해줘";
  const { host } = hostIn({ argv: ["hook", "user-prompt-submit"], ...PLACE() });
  const input = Buffer.from(JSON.stringify({ session_id: "s", cwd: project, prompt }));
  await runHook({ ...host, stdin: { ...host.stdin, read: async () => input } });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PLACE = () => ({
  cwd: project,
  homeDir: join(root, "home"),
  now: NOW,
  env: { NO_COLOR: "1", NO_PAGER: "1", TZ: "UTC" },
});

const run = (argv: readonly string[], columns?: number) =>
  runIn({ argv, ...PLACE(), ...(columns !== undefined && { columns }) });

for (const [name, argv] of Object.entries(COMMANDS))
  test(`${name} is right in width`, async () => {
    for (const columns of WIDTHS) {
      const { stdout, stderr, exitCode } = await run(argv, columns);
      expect(exitCode).toBe(0);
      const lines = (stdout + stderr).split("\n");
      expect(lines.filter((line) => !fits(line, columns))).toEqual([]);
      expect(lines.filter((line) => /^\s*[\p{M}\u200d]/u.test(line) || !line.isWellFormed())).toEqual([]);
      expect(lines.filter((line) => !isIsolated(line))).toEqual([]);
      expect(misaligned(lines)).toEqual([]);
    }
  });

test("what goes to a pipe has no isolates", async () => {
  const { stdout } = await run(["recent"]);
  expect(RIGHT_TO_LEFT.test(stdout)).toBe(true);
  expect(stdout).not.toMatch(/[\u2066-\u2069]/);
});

/** A line that is too wide is one word, or a command to be copied: nothing may break these. */
function fits(line: string, columns: number): boolean {
  const words = line.trim();
  return widthOf(line) <= columns || !/\S\s+\S/.test(words) || words.startsWith("mementor ");
}

/** Whether each letter that is written from right to left stands in an isolate, and each isolate ends. */
function isIsolated(line: string): boolean {
  const rest = line.replace(/\u2068[^\u2068\u2069]*\u2069/g, "");
  return !RIGHT_TO_LEFT.test(rest) && !/[\u2068\u2069]/.test(rest);
}

/** The rows below a line of titles that have no space before a column that others have: they are shifted. */
function misaligned(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /^(?:[A-Z]+(?: [A-Z]+)?(?:\s{2,}|$)){2,}/.test(line));
  if (at < 0) return [];
  const title = lines[at] ?? "";
  // A column of numbers is as wide as its title, or ends with it.
  const starts = [...title.matchAll(/(?<=\s{2})\S/g)].map(({ index }) => index);
  const end = lines.findIndex((line, i) => i > at && !/^\S/.test(line));
  const cells = lines.slice(at + 1, end < 0 ? undefined : end).map(cellsOf);
  return cells
    .filter((row) => starts.some((start) => row.length > start && row[start - 1] !== " "))
    .map((row) => row.join(""));
}

/** What stands in each column of a terminal. */
function cellsOf(line: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(
    line.replace(/[\u2068\u2069]/g, ""),
  );
  return Array.from(segments, ({ segment }) => [
    segment,
    ...Array.from({ length: Math.max(0, widthOf(segment) - 1) }, () => ""),
  ]).flat();
}

function sessionId(at: number): string {
  return `00000000-0000-4000-8000-${`${at + 1}`.padStart(12, "0")}`;
}

function transcript(at: number): string {
  const { prompt, answer, file, branch, commit } = WORK[at] as (typeof WORK)[number];
  const common = {
    isSidechain: false,
    cwd: project,
    sessionId: sessionId(at),
    gitBranch: branch,
    version: "2.1.56",
  };
  const said = (id: number, content: unknown) => ({
    ...common,
    type: "assistant",
    uuid: `${at}-${id}`,
    message: { id: `m${at}-${id}`, role: "assistant", content },
  });
  const entries = [
    { ...common, type: "user", uuid: `${at}-0`, message: { role: "user", content: prompt } },
    said(1, [
      { type: "tool_use", id: `e${at}`, name: "Edit", input: { file_path: join(project, file) } },
      { type: "tool_use", id: `b${at}`, name: "Bash", input: { command: `git commit -m "${commit}"` } },
    ]),
    {
      ...common,
      type: "user",
      uuid: `${at}-2`,
      message: {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: `b${at}`,
            content: `[${branch} abc123${at}] ${commit}\n 1 file changed`,
          },
        ],
      },
    },
    said(3, [{ type: "text", text: answer }]),
    { ...common, type: "user", uuid: `${at}-4`, message: { role: "user", content: `${answer} ${prompt}` } },
    said(5, [{ type: "text", text: answer }]),
  ];
  const times = entries.map((_, i) => `2026-11-${`${10 + at}`}T10:0${i}:00.000Z`);
  return entries.map((entry, i) => `${JSON.stringify({ ...entry, timestamp: times[i] })}\n`).join("");
}

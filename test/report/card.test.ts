import { describe, expect, test } from "bun:test";
import { type ReportCard, renderCard } from "../../src/report/card.ts";

const PROMPT = "Why does the kettle leak?";

function card(facts: Partial<ReportCard> = {}): ReportCard {
  const session = {
    summary: {
      sessionId: "aaaa1111",
      client: "claude-code",
      title: null,
      firstPrompt: PROMPT,
      automated: false,
      branch: "main",
      projectDir: null,
      transcriptPath: null,
      startedAt: "2026-02-01T10:00:00.000Z",
      endedAt: null,
      turns: 2,
      files: 1,
      foreign: null,
      author: null,
    },
    files: [],
    commits: [],
    prs: [],
    near: [],
  };
  return {
    project: "kettle",
    report: {
      sessions: [session],
      totals: { sessions: 98, turns: 123_456, files: 4, commits: 0, prs: 0 },
      usual: null,
      heat: { period: "week", starts: [], rows: [{ path: "src/<valve>.ts", touches: 2, counts: [] }] },
    },
    recall: {
      ...{ given: 9, silent: 1, turnsTold: 12, turnsUsed: 3, turnsNamingFiles: 9, ledToEdit: 2, shown: 0 },
      marked: { good: 0, bad: 0 },
      ...{ late: 0, asked: { calls: 0, sessions: 0 }, invited: { sessions: 0, subagents: 0 } },
      calls: [],
    },
    streaks: { days: 11, longest: 4, current: 0 },
    hours: Array.from({ length: 24 }, (_, hour) => hour % 3),
    span: ["2026-02-01", "2026-03-02"],
    narrowed: "",
    ...facts,
  };
}

/** The texts of a card, in order. */
const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

/** Sizes of a card's letters, and what they take in DejaVu Sans, one of the widest fonts for screens. */
const SIZES: Record<string, number> = { name: 52, big: 50, label: 22, head: 22, row: 22, file: 20 };
const BOLD = ["name", "big", "head"];
const EM: Record<string, number> = { W: 0.99, m: 0.98, 漢: 1, "…": 1, "/": 0.34, k: 0.58, M: 0.87 };

interface Box {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The room that each text of a card takes, in pixels. */
function boxesOf(svg: string): Box[] {
  const texts = svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" class="(\w+)">([^<]*)<\/text>/g);
  return [...texts].map(([, x = "", y = "", style = "", text = ""]) => {
    const size = SIZES[style] ?? 0;
    const letters = Array.from(new Intl.Segmenter().segment(text.replace(/[\u2068\u2069]/g, "")));
    const sum = letters.reduce((em, { segment }) => em + (EM[segment] ?? 0.61), 0);
    const mono = Bun.stringWidth(text) * 0.602;
    const em = style === "file" ? mono : sum * (BOLD.includes(style) ? 1.1 : 1);
    return { text, left: +x, right: +x + em * size, top: +y - size * 0.8, bottom: +y + size * 0.2 };
  });
}

function touch(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

describe("a card", () => {
  test("says in numbers what was done, and no word of a prompt", () => {
    const svg = renderCard(card());
    expect(textsOf(svg)).toEqual([
      ...["kettle", "2026-02-01 to 2026-03-02"],
      ...[
        "98",
        "sessions",
        "123k",
        "turns",
        "11",
        "days of work",
        "4",
        "days in a row",
        "3",
        "useful recalls",
      ],
      ...["Busiest files", "src/&#60;valve&#62;.ts"],
      ...["Turns by hour of the day", "00:00", "06:00", "12:00", "18:00", "Remembered by mementor"],
    ]);
    expect(svg).not.toContain("kettle leak");
    expect(svg).toStartWith(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630"',
    );
  });

  test("names what it is narrowed to", () => {
    expect(textsOf(renderCard(card({ narrowed: "branch leak" })))[1]).toBe(
      "2026-02-01 to 2026-03-02; only branch leak",
    );
  });

  test("cuts paths before their names", () => {
    const { report } = card();
    const rows = [{ path: `src/${"kettle/".repeat(12)}valve.ts`, touches: 2, counts: [] }];
    const texts = textsOf(renderCard(card({ report: { ...report, heat: { ...report.heat, rows } } })));
    expect(texts.filter((text) => text?.includes("…") === true)).toEqual([
      expect.stringMatching(/^src\/.*….*\/valve\.ts$/),
    ]);
  });

  test("needs nothing from elsewhere", () => {
    expect(renderCard(card())).not.toMatch(/href|url\(|@import|<script|<image/);
  });

  test.each(["W", "m", "漢", "한", "שלום ", "مرحبا", "e\u0301", "नि", "👩‍💻", "src/Wm/"])(
    "of names like %s runs over no edge, and nothing touches",
    (letters) => {
      const long = letters.repeat(90);
      const { report } = card();
      const rows = Array.from({ length: 8 }, () => ({ path: long, touches: 2, counts: [] }));
      const totals = { sessions: 98_765, turns: 1_234_567, files: 4, commits: 9_999, prs: 0 };
      const streaks = { days: 99_999, longest: 9_999, current: 0 };
      const full = card({
        ...{ project: long, streaks },
        report: { ...report, totals, heat: { ...report.heat, rows } },
      });
      const boxes = boxesOf(renderCard(full));
      expect(boxes.filter(({ left, right }) => left < 64 || right > 1200 - 64)).toEqual([]);
      expect(boxes.filter((box, i) => boxes.some((other, j) => i < j && touch(box, other)))).toEqual([]);
    },
  );

  test("of one day counts one day, and names it once", () => {
    const texts = textsOf(
      renderCard(card({ streaks: { days: 1, longest: 1, current: 0 }, span: ["2026-03-02", "2026-03-02"] })),
    );
    expect(texts).toEqual(expect.arrayContaining(["2026-03-02", "day of work", "day in a row"]));
  });

  test("of an empty memory has no figures", () => {
    const report = {
      ...card().report,
      sessions: [],
      totals: { sessions: 0, turns: 0, files: 0, commits: 0, prs: 0 },
    };
    const empty = card({
      report: { ...report, heat: { ...report.heat, rows: [] } },
      recall: null,
      streaks: { days: 0, longest: 0, current: 0 },
      span: null,
    });
    expect(textsOf(renderCard(empty)).slice(0, 3)).toEqual([
      "kettle",
      "No turns",
      "Turns by hour of the day",
    ]);
  });
});

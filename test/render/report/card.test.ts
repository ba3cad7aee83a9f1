import { describe, expect, test } from "bun:test";
import { type Card, renderCard } from "../../../src/render/report/card.ts";

const PROMPT = "Why does the kettle leak?";

function card(facts: Partial<Card> = {}): Card {
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
    place: null,
    near: [],
  };
  return {
    project: "kettle",
    report: {
      sessions: [session],
      totals: { sessions: 98, turns: 123_456, files: 4, commits: 0, prs: 0 },
      regions: [],
      heat: { period: "week", starts: [], rows: [{ path: "src/<valve>.ts", touches: 2, counts: [] }] },
    },
    recall: {
      ...{ given: 9, silent: 1, turnsTold: 12, turnsUsed: 3, turnsNaming: 9, ledToEdit: 2, shown: 0 },
      marked: { good: 0, bad: 0 },
      calls: [],
    },
    streaks: { days: 11, longest: 4, current: 0 },
    hours: Array.from({ length: 24 }, (_, hour) => hour % 3),
    span: ["2026-02-01", "2026-03-02"],
    withTitles: false,
    ...facts,
  };
}

/** The texts of a card, in order. */
const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

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
        "recalls that helped",
      ],
      ...["Busiest files", "src/&#60;valve&#62;.ts"],
      ...["00:00", "06:00", "12:00", "18:00", "Remembered by mementor"],
    ]);
    expect(svg).not.toContain("kettle leak");
    expect(svg).toStartWith(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630"',
    );
  });

  test("shows titles when they are asked for", () => {
    expect(textsOf(renderCard(card({ withTitles: true })))).toContain(PROMPT);
  });

  test("needs nothing from elsewhere", () => {
    expect(renderCard(card())).not.toMatch(/href|url\(|@import|<script|<image/);
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
    expect(textsOf(renderCard(empty)).slice(0, 3)).toEqual(["kettle", "No turns yet", "00:00"]);
  });
});

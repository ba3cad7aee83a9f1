import { describe, expect, test } from "bun:test";
import proseModule from "../../src/report/page/prose.client.js" with { type: "text" };
import { pageScript, type ReportPage, renderReport, scriptJson } from "../../src/report/page.ts";
import { packConversations, type ReportSession } from "../../src/report/report.ts";
import type { ExportedTurn } from "../../src/store/stored.ts";
import { composeText } from "../../src/turn/text.ts";

const HOSTILE =
  "</script><img src=x onerror=alert(1)><!--\u2028\u2029\u202etxt\u0000\x1b[31m\u{1f469}\u200d\u{1f4bb}\ud800";

function session(title: string | null, facts: Partial<ReportSession> = {}): ReportSession {
  return {
    summary: {
      sessionId: "aaaa1111",
      client: "claude-code",
      title,
      firstPrompt: "How it began",
      automated: false,
      branch: "main",
      projectDir: null,
      transcriptPath: null,
      startedAt: "2026-02-01T10:00:00.000Z",
      endedAt: "2026-02-01T11:00:00.000Z",
      turns: 2,
      files: 1,
      foreign: null,
      author: null,
    },
    files: [{ path: "src/valve.ts", touches: 2, changes: 1 }],
    commits: [{ hash: "3f9d2c1", message: "Mend the valve" }],
    prs: [{ prNumber: 7, prUrl: "https://example.org/pull/7", prRepository: "ada/kettle" }],
    near: [],
    ...facts,
  };
}

function pageOf(sessions: ReportSession[], facts: Partial<ReportPage> = {}): ReportPage {
  return {
    report: {
      sessions,
      totals: { sessions: sessions.length, turns: 2, files: 1, commits: 1, prs: 1 },
      usual: [Date.parse("2026-02-01"), Date.parse("2026-02-28")],
      heat: {
        period: "week",
        starts: ["2026-01-26"],
        rows: [{ path: "src/valve.ts", touches: 2, counts: [2] }],
      },
    },
    recall: null,
    conversations: null,
    days: 1,
    notes: 0,
    narrowed: "",
    project: "kettle",
    now: new Date("2026-02-12T10:00:00Z"),
    ...facts,
  };
}

/** The data as the page's script reads it. */
function dataOf(html: string) {
  const [, json] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json ?? "");
}

test("holds the sessions with what they touched and made", () => {
  expect(dataOf(renderReport(pageOf([session("Leak")])))).toEqual({
    project: "kettle",
    made: "2026-02-12T10:00:00.000Z",
    hasConversations: false,
    narrowed: "",
    totals: { sessions: 1, turns: 2, files: 1, commits: 1, prs: 1, days: 1, notes: 0 },
    recall: null,
    sessions: [
      {
        id: "aaaa1111",
        title: "Leak",
        prompt: "How it began",
        start: "2026-02-01T10:00:00.000Z",
        end: "2026-02-01T11:00:00.000Z",
        branch: 0,
        turns: 2,
        fileCount: 1,
        files: [[0, 2, 1]],
        commits: [["3f9d2c1", "Mend the valve"]],
        prs: [[7, "https://example.org/pull/7", "ada/kettle"]],
        client: null,
        automated: false,
        whose: null,
        near: [],
        turnIds: null,
      },
    ],
    usual: [1769904000000, 1772236800000],
    heat: { period: "week", starts: ["2026-01-26"], rows: [[0, 2, [2]]] },
    paths: ["src/valve.ts"],
    branches: ["main"],
  });
});

describe("what the memory holds cannot act", () => {
  const everywhere = session(HOSTILE, {
    files: [{ path: HOSTILE, touches: 1, changes: 0 }],
    commits: [{ hash: HOSTILE, message: HOSTILE }],
    prs: [{ prNumber: 1, prUrl: "javascript:alert(1)", prRepository: HOSTILE }],
  });
  const html = renderReport(pageOf([everywhere], { project: HOSTILE, narrowed: HOSTILE }));

  test("in the markup: there is one data block and one script, and no image", () => {
    expect(html.match(/<\/?script/g)).toEqual(["<script", "</script", "<script", "</script"]);
    expect(html).not.toContain("<img");
    expect(html.match(/<!--/g)).toBeNull();
  });

  test("in the text: no control character, no change of direction", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    expect(html).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/);
    expect(dataOf(html).sessions[0].title).toBe(
      "</script><img src=x onerror=alert(1)><!-- txt\u{1f469}\u200d\u{1f4bb}\ud800",
    );
  });

  test("as a link: only web addresses are", () => {
    expect(dataOf(html).sessions[0].prs[0][1]).toBeNull();
  });

  test("by its length: a title is cut, and never inside an emoji", () => {
    const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}";
    const cut = (title: string) => dataOf(renderReport(pageOf([session(title)]))).sessions[0].title;
    expect(cut("x".repeat(10_000))).toBe(`${"x".repeat(200)}...`);
    expect(cut(`Our ${family.repeat(1_000)}`)).toBe(`Our ${family.repeat(196)}...`);
  });
});

test("JSON for a script block has the same value and cannot end the block", () => {
  const value = { [HOSTILE]: [HOSTILE, 1.5, null, true] };
  const json = scriptJson(value);
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
});

describe("the script of the page", () => {
  test("parses: its modules share no names", () => {
    expect(() => new Bun.Transpiler({ loader: "js" }).scan(pageScript())).not.toThrow();
    const names = [...pageScript().matchAll(/^(?:function|const|let|class) (\w+)/gm)].map(([, name]) => name);
    expect(names.length).toBe(new Set(names).size);
  });

  test("has no import left, and never makes markup of text", () => {
    expect(pageScript()).not.toMatch(/^(?:import|export)\b/m);
    expect(pageScript()).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
  });

  test("and its style are all that the policy lets run", () => {
    const html = renderReport(pageOf([session("Leak")]));
    const [, script] = /<script type="module">(.*?)<\/script>/s.exec(html) ?? [];
    const [, style] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const hash = (text = "") => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
    );
  });
});

test("the same report gives the same page", () => {
  expect(renderReport(pageOf([session("Leak")]))).toBe(renderReport(pageOf([session("Leak")])));
});

describe("conversations", () => {
  const turn = (facts: Partial<ExportedTurn> = {}): ExportedTurn => ({
    turnId: 17,
    marks: [],
    sessionId: "aaaa1111",
    agentId: null,
    lineIndex: 3,
    provisional: false,
    role: "turn",
    origin: "human",
    ...composeText([
      { kind: "prompt", text: "Why does the kettle leak?" },
      { kind: "thinking", text: "The valve, perhaps." },
      { kind: "answer", text: `The valve.\n${HOSTILE}` },
      { kind: "tools", text: "Read(src/valve.ts)" },
      { kind: "errors", text: "exit 1" },
      { kind: "forward", text: "Thanks" },
    ]),
    toolSummary: ["Read(src/valve.ts)"],
    isSidechain: false,
    createdAt: "2026-02-01T10:00:00.000Z",
    endedAt: null,
    branch: "main",
    cwd: null,
    model: null,
    clientVersion: null,
    promptUuid: null,
    entryUuids: [],
    mentions: [
      { filePath: "src/valve.ts", toolName: "Read" },
      { filePath: "src/valve.ts", toolName: "Edit" },
    ],
    commits: [{ hash: "3f9d2c1aaaaaaaaaaaaa", message: "Mend the valve" }],
    foreign: null,
    author: null,
    ...facts,
  });
  const packed = (turns: ExportedTurn[]) =>
    packConversations(
      (async function* () {
        yield { sessionId: "aaaa1111", turns };
      })(),
    );
  const unpacked = ({ packed: text }: { packed: string }) =>
    JSON.parse(Buffer.from(Bun.inflateSync(Buffer.from(text, "base64"))).toString());

  test("hold what was said and done, once, and nothing that hides", async () => {
    const [conversation] = await packed([turn()]);
    expect(conversation).toMatchObject({ sessionId: "aaaa1111", turnIds: [17] });
    expect(unpacked(conversation ?? { packed: "" })).toEqual([
      {
        id: 17,
        time: "2026-02-01T10:00:00.000Z",
        isSubagent: false,
        whose: null,
        title: "Why does the kettle leak?",
        prompt: "Why does the kettle leak?",
        said: "The valve, perhaps.\n\nThe valve.\n</script><img src=x onerror=alert(1)><!--\n\ntxt\u{1f469}\u200d\u{1f4bb}\ud800",
        tools: ["Read(src/valve.ts)"],
        errors: "exit 1",
        files: ["src/valve.ts"],
        commits: [["3f9d2c1aaaaa", "Mend the valve"]],
      },
    ]);
  });

  test("are cut where a paste is long", async () => {
    const long = composeText([{ kind: "prompt", text: "x".repeat(100_000) }]);
    const [conversation] = await packed([turn({ ...long, agentId: "a1" })]);
    const [{ prompt, isSubagent }] = unpacked(conversation ?? { packed: "" });
    expect({ length: prompt.length, isSubagent }).toEqual({ length: 40_001, isSubagent: true });
  });

  test("lie in blocks of their own, with the script that colours code", async () => {
    const conversations = await packed([turn()]);
    const html = renderReport(pageOf([session("Leak")], { conversations }));
    expect(html).toContain(`<script type="text/plain" id="talk-0">${conversations[0]?.packed}</script>`);
    expect(html.match(/<script/g)).toHaveLength(4);
    expect(html.match(/<\/script/g)).toHaveLength(4);
    expect(html.match(/<!--/g)).toBeNull();
    expect(dataOf(html).sessions[0].turnIds).toEqual([17]);
  });
});

test("an empty memory gives a page without charts", () => {
  const html = renderReport(pageOf([]));
  expect(html).toContain('id="empty"');
  expect(html).not.toContain('id="timeline"');
});

test("what was said links to the web; of a link to a file its words are left, and calls stay as they are", () => {
  const source = proseModule.replace(/^import [^;]*;\n/gm, "").replaceAll("export function", "function");
  const el = (tag: string, { href }: { href?: string }, ...children: unknown[]) => ({
    tag,
    href,
    children: children.flat(),
  });
  const prose = new Function("el", `${source}; return prose;`)(el);
  const strong = { tag: "strong", href: undefined, children: ["guide"] };
  const link = { tag: "a", href: "https://example.org/g", children: ["the ", strong, ""] };
  expect(
    prose("See [the **guide**](https://example.org/g) and [lid.go:4](src/lid.go:4); STEPS[v](db), [a](x)."),
  ).toEqual([
    {
      tag: "p",
      href: undefined,
      children: ["See ", link, " and ", "lid.go:4", "; STEPS[v](db), [a](x)."],
    },
  ]);
});

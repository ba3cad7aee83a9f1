import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Browser, CHROMIUM } from "../support/chromium.ts";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";
import { ingestSample, putSample } from "./sample.ts";

/** The script of axe, which a page's policy does not keep out: it is run by the debugger. */
const AXE = readFileSync(join(import.meta.dir, "..", "..", "node_modules", "axe-core", "axe.min.js"), "utf8");

let sandbox: Sandbox;
let database: string;
let page: string;
const mementor = (...args: string[]) => sandbox.run([...args, "--db", database]);

beforeAll(async () => {
  sandbox = await Sandbox.create();
  database = join(sandbox.root, "memory.db");
  page = join(sandbox.project, "report.html");
  await putSample(database);
});

afterAll(() => sandbox[Symbol.asyncDispose]());

function dataOf(html: string) {
  return JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
}

test("writes a page for its owner alone, over the old one", async () => {
  await Bun.write(join(sandbox.project, "old.html"), "old");
  for (const file of ["report.html", "old.html"]) {
    const { exitCode, stdout, stderr } = await mementor("report", "--html", file);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toStartWith(`Wrote ${file}: `);
    expect(await Bun.file(join(sandbox.project, file)).text()).toStartWith("<!doctype html>");
  }
  expect(statSync(page).mode & 0o777).toBe(0o600);
});

test("prints the page for -, with what the sessions say", async () => {
  const { exitCode, stdout } = await mementor("report", "--html", "-");
  const { sessions, heat } = dataOf(stdout);
  expect(exitCode).toBe(0);
  expect(sessions.map(({ title }: { title: string }) => title)).toContain(
    "Moving bookmark storage from JSON to SQLite",
  );
  expect(sessions.some(({ near }: { near: number[] }) => near.length > 0)).toBe(true);
  expect(heat.rows.length).toBeGreaterThan(0);
});

test("narrows as sessions does", async () => {
  const narrowing = ["--branch", "feat/store", "--until", "2026-03"];
  const { stdout } = await mementor("report", "--html", "-", ...narrowing);
  const listed = await mementor("sessions", "--json", ...narrowing);
  const ids = (sessions: { id?: string; session_id?: string }[]) =>
    sessions.map(({ id, session_id }) => id ?? session_id);
  expect(ids(dataOf(stdout).sessions)).toEqual(ids(JSON.parse(listed.stdout).sessions));
});

test("says so when nothing fits", async () => {
  const { exitCode, stdout } = await mementor("report", "--html", "-", "--since", "now");
  expect(exitCode).toBe(0);
  expect(stdout).toContain('id="empty"');
});

test("leaves the conversations out when asked to", async () => {
  const { stdout } = await mementor("report", "--html", "-", "--no-conversations");
  expect(stdout).not.toContain('id="talk-');
  expect(dataOf(stdout).hasConversations).toBe(false);
});

test("one session alone", async () => {
  const listed = JSON.parse((await mementor("sessions", "--json")).stdout).sessions;
  const [{ session_id: id }] = listed;
  const { stdout } = await mementor("report", "--html", "-", "--session", id.slice(0, 8));
  expect(dataOf(stdout).sessions.map((each: { id: string }) => each.id)).toEqual([id]);
});

test("draws a card, and writes it for everybody", async () => {
  const { exitCode, stdout, stderr } = await mementor("report", "--card", "card.svg");
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: "Wrote card.svg, an SVG picture of 1200 by 630.\n",
    stderr: "",
  });
  const svg = await Bun.file(join(sandbox.project, "card.svg")).text();
  expect(svg).toContain('width="1200" height="630"');
  expect(svg).toContain(">Busiest files<");
  expect(statSync(join(sandbox.project, "card.svg")).mode & 0o777).toBe(0o644);
});

describe("--open", () => {
  /** A desktop's program that notes what it is asked to open. */
  async function desktop(): Promise<{ env: Record<string, string>; opened: string }> {
    const bin = join(sandbox.root, "bin");
    const opened = join(sandbox.root, "opened");
    await Bun.write(join(bin, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
    chmodSync(join(bin, "xdg-open"), 0o755);
    return { env: { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ":9" }, opened };
  }

  test.skipIf(process.platform !== "linux")("hands the page to the desktop's program", async () => {
    const { env, opened } = await desktop();
    const args = ["report", "--html", "opened.html", "--open", "--db", database];
    const { exitCode, stdout } = await sandbox.run(args, { env });
    expect(exitCode).toBe(0);
    expect(stdout).toEndWith("It opens in a browser.\n");
    await until("the page is opened", () => existsSync(opened) && readFileSync(opened, "utf8") !== "");
    expect(readFileSync(opened, "utf8")).toBe(join(sandbox.project, "opened.html"));
  });

  test.skipIf(process.platform !== "linux")("says how to open it where there is no desktop", async () => {
    const { exitCode, stdout } = await mementor("report", "--html", "closed.html", "--open");
    expect(exitCode).toBe(0);
    expect(stdout).toEndWith(
      ` It could not be opened: there is no desktop, or no program to open files. Open it in a browser: file://${join(sandbox.project, "closed.html")}\n`,
    );
  });

  test("keeps the page with the memory without --html, and forget deletes it", async () => {
    await using own = await Sandbox.create();
    await enabled(own);
    await ingestSample(own);
    const { exitCode, stderr } = await own.run(["report", "--open"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(statSync(own.memory("report.html")).mode & 0o777).toBe(0o600);
    await own.run(["forget", "--match", "bookmark", "--yes"]);
    expect(existsSync(own.memory("report.html"))).toBe(false);
  });

  test("needs a file for a database that was named", async () => {
    const { exitCode, stderr } = await mementor("report", "--open");
    expect(exitCode).toBe(64);
    expect(stderr).toContain("--html report.html");
  });
});

test.each([[["report"]], [["report", "--html"]]])("%p asks where to", async (args) => {
  const { exitCode, stdout, stderr } = await mementor(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
  expect(stderr).toContain("--html");
});

test("report alone keeps the page with the memory, and says where", async () => {
  await using own = await Sandbox.create();
  await enabled(own);
  await ingestSample(own);
  const { exitCode, stdout, stderr } = await own.run(["report"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const page = own.memory("report.html");
  expect(existsSync(page)).toBe(true);
  expect(stdout).toStartWith(`Wrote ${page}: `);
  expect(stdout).toEndWith(`. It needs no network; open it in a browser: file://${page}\n`);
});

const SKIPPED = CHROMIUM === null ? " (skipped: no chromium on this machine)" : "";

describe(`in a browser${SKIPPED}`, () => {
  let browser: Browser;
  const wait = (expression: string) =>
    until(expression, () => browser.evaluate<boolean>(`Boolean(${expression})`));

  beforeAll(async () => {
    if (CHROMIUM === null) return;
    await mementor("report", "--html", page);
    browser = await Browser.start(CHROMIUM);
  });
  afterAll(() => browser?.[Symbol.asyncDispose]());

  test.skipIf(CHROMIUM === null).each([
    [320, false],
    [820, true],
    [2560, false],
  ] as const)("is as wide as the window at %d px, and asks for nothing", async (width, dark) => {
    await browser.open(page, { width, height: 900, dark });
    const problems = ["Runtime.exceptionThrown", "Log.entryAdded"];
    expect(browser.events.filter(({ method = "" }) => problems.includes(method))).toEqual([]);
    expect(browser.events.filter(({ method }) => method === "Network.requestWillBeSent").length).toBe(1);
    const root = "document.documentElement";
    expect(await browser.evaluate(`${root}.scrollWidth <= ${root}.clientWidth`)).toBe(true);
    // A title has room for words at every width.
    const title = "document.querySelector('#rows .title').getBoundingClientRect().width";
    expect(await browser.evaluate<number>(title)).toBeGreaterThanOrEqual(240);
  });

  test.skipIf(CHROMIUM === null)("opens a session by keyboard, and narrows by words", async () => {
    await browser.open(page, { width: 1280, height: 900 });
    const rows = () => browser.evaluate<number>("document.querySelectorAll('#rows > tr').length");
    const all = await rows();
    await browser.evaluate("document.querySelector('#timeline svg').focus()");
    for (const key of ["ArrowRight", "Enter"]) await browser.key(key);
    expect(await rows()).toBe(all + 1);
    await browser.evaluate(
      "(() => { const s = document.getElementById('search'); s.value = 'moving bookmark'; s.dispatchEvent(new Event('input')); })()",
    );
    expect(await browser.evaluate<string>("document.getElementById('count').textContent")).toStartWith(
      "1 of ",
    );
  });

  test.skipIf(CHROMIUM === null)(
    "shows a conversation, closed at first, and opens a turn by Enter",
    async () => {
      await browser.open(page, { width: 1280, height: 900 });
      await browser.evaluate("document.querySelector('#rows .title').click()");
      await wait("document.querySelector('details.turn summary')");
      expect(await browser.evaluate("document.querySelector('details.turn .said')")).toBeNull();
      await browser.evaluate("document.querySelector('details.turn summary').focus()");
      await browser.key("Enter");
      await wait("document.querySelector('details.turn .said.prompt')");
    },
  );

  test.skipIf(CHROMIUM === null)("a link to a turn opens it", async () => {
    const { sessions } = dataOf(await Bun.file(page).text());
    const { id, turnIds } = sessions.at(-1);
    await browser.open(page, { width: 1280, height: 900 });
    await browser.evaluate(`location.hash = "#turn-${turnIds[0]}"`);
    await wait(`document.querySelector('#turn-${turnIds[0]}[open] .said')`);
    expect(await browser.evaluate("document.querySelectorAll('tr.open').length")).toBe(1);
    await browser.evaluate(`location.hash = "#session-${sessions[0].id}"`);
    await wait(`!document.querySelector('#turn-${turnIds[0]}')`);
    expect(id).not.toBe(sessions[0].id);
  });

  test.skipIf(CHROMIUM === null)("prints every session that it lists", async () => {
    await browser.open(page, { width: 1280, height: 900 });
    await browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    const { totals } = dataOf(await Bun.file(page).text());
    expect(await browser.evaluate("document.querySelectorAll('#rows > tr').length")).toBe(totals.sessions);
  });

  test.skipIf(CHROMIUM === null).each([[false], [true]])("axe finds nothing, dark: %p", async (dark) => {
    await browser.open(page, { width: 1280, height: 900, dark });
    await browser.evaluate("document.querySelector('#rows .title').click()");
    await wait("document.querySelector('details.turn summary')");
    await browser.evaluate("document.querySelector('details.turn summary').click()");
    await wait("document.querySelector('details.turn .said')");
    await browser.evaluate(`${AXE}; true`);
    const found = await browser.evaluate<string[]>(
      "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))",
    );
    expect(found).toEqual([]);
  });
});

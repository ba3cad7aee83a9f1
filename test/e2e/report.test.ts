import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { Browser, CHROMIUM } from "../support/chromium.ts";
import { Sandbox } from "../support/sandbox.ts";

const SAMPLE = join(import.meta.dir, "..", "..", "fixtures", "transcripts", "sample");

let sandbox: Sandbox;
let database: string;
let page: string;
const mementor = (...args: string[]) => sandbox.run([...args, "--db", database]);

beforeAll(async () => {
  sandbox = await Sandbox.create();
  database = join(sandbox.root, "memory.db");
  page = join(sandbox.project, "report.html");
  await mementor("ingest", SAMPLE);
}, 120_000);

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
  expect(sessions.some(({ place }: { place: unknown }) => place !== null)).toBe(true);
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

test.each([[["report"]], [["report", "--html"]]])("%p asks where to", async (args) => {
  const { exitCode, stdout, stderr } = await mementor(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
  expect(stderr).toContain("--html");
});

test.skipIf(CHROMIUM === null)(
  `opens in a browser${CHROMIUM === null ? " (skipped: no chromium on this machine)" : ""}`,
  async () => {
    await mementor("report", "--html", page);
    await using browser = await Browser.start(CHROMIUM ?? "");
    for (const [width, dark] of [
      [360, false],
      [1600, true],
    ] as const) {
      await browser.open(page, { width, height: 900, dark });
      expect(
        browser.events.filter(
          ({ method }) => method === "Runtime.exceptionThrown" || method === "Log.entryAdded",
        ),
      ).toEqual([]);
      expect(browser.events.filter(({ method }) => method === "Network.requestWillBeSent").length).toBe(1);
      const root = "document.documentElement";
      expect(await browser.evaluate(`${root}.scrollWidth <= ${root}.clientWidth`)).toBe(true);
    }
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
  },
  60_000,
);

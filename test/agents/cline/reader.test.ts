import { expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cline } from "../../../src/agents/cline/agent.ts";
import { said, toolCalls } from "../../../src/agents/cline/reader.ts";
import { readAll } from "../../support/read-turns.ts";
import { installFolder } from "../contract.ts";
import { sourcesOf, withHome } from "../sources.ts";

const HOME = join(import.meta.dir, "../../../fixtures/agents/cline/home");

test("a file that is being written anew is left for later", () =>
  withHome(async (home) => {
    installFolder(HOME)(home);
    const [source = ""] = await sourcesOf(cline, home, "/home/dev/bakery");
    writeFileSync(source, readFileSync(source, "utf8").slice(0, 900));
    await expect(readAll(source)).rejects.toThrow("it is not a JSON object");
  }));

test("a file that is too large to hold is not read", () =>
  withHome(async (home) => {
    installFolder(HOME)(home);
    const [source = ""] = await sourcesOf(cline, home, "/home/dev/bakery");
    truncateSync(source, 300 << 20);
    await expect(readAll(source)).rejects.toThrow("more than 256 MB");
  }));

test("what is noted of a session later makes its source new", () =>
  withHome(async (home) => {
    installFolder(HOME)(home);
    const [source = ""] = await sourcesOf(cline, home, "/home/dev/bakery");
    const before = cline.stampOf(source);
    const manifest = source.replace(".messages.json", ".json");
    const whole = JSON.parse(readFileSync(manifest, "utf8"));
    writeFileSync(manifest, JSON.stringify({ ...whole, metadata: { title: "Two timers" } }));
    expect(cline.stampOf(source)?.size).toBe(before?.size ?? 0);
    const { last } = await readAll(source);
    expect(last.sessions.map(({ title, branch }) => [title, branch])).toEqual([["Two timers", null]]);
  }));

test("variables move the directory, part by part", () => {
  const rootsOf = (env: Record<string, string>) => cline.roots({ env, homeDir: "/h", platform: "linux" });
  expect(rootsOf({})).toEqual(["/h/.cline/data/sessions"]);
  expect(rootsOf({ CLINE_DIR: "/c" })).toEqual(["/c/data/sessions"]);
  expect(rootsOf({ CLINE_DIR: "/c", CLINE_DATA_DIR: "/d" })).toEqual(["/d/sessions"]);
  expect(rootsOf({ CLINE_DATA_DIR: "/d", CLINE_SESSION_DATA_DIR: "/s" })).toEqual(["/s"]);
});

test("what was typed stands in its wrapper", () => {
  const prompt = (text: string) => ({ kind: "prompt", text, isQueued: false }) as const;
  expect(said('<user_input mode="act">Use <b>bold</b> here</user_input>')).toEqual(
    prompt("Use <b>bold</b> here"),
  );
  expect(said("Written without a wrapper")).toEqual(prompt("Written without a wrapper"));
  const command = (slash: string, text: string) => `<user_command slash="${slash}">${text}</user_command>`;
  expect(said(`<user_input mode="act">${command("tidy", "Do it all.")}</user_input>`)).toEqual({
    kind: "command",
    text: "/tidy",
  });
  expect(said(command("team", "spawn a team of agents for the following task: bake"))).toEqual(
    prompt("/team bake"),
  );
  expect(said('<user_input mode="act"></user_input>')).toEqual({ kind: "skipped", reason: "no_text" });
  expect(said("<SYSTEM_NOTICE>\nEarlier context was compacted.</SYSTEM_NOTICE>")).toEqual({
    kind: "skipped",
    reason: "notification",
  });
});

test("models write one thing in several ways", () => {
  const names = (tool: string, input: Record<string, unknown>) =>
    toolCalls("c", tool, input).map(({ id, name, paths, command }) => [id, name, ...paths, command]);
  for (const input of [
    { files: [{ path: "a.go" }] },
    { files: "a.go" },
    { file_paths: ["a.go"] },
    { paths: [{ filePath: "a.go" }] },
    { path: "a.go" },
  ])
    expect(names("read_files", input)).toEqual([["c#0", "Read", "a.go", null]]);
  for (const input of [
    { commands: ["ls -l"] },
    { commands: { command: "ls", args: ["-l"] } },
    { cmd: "ls -l" },
  ])
    expect(names("run_commands", input)).toEqual([["c#0", "Bash", "ls -l"]]);
  expect(names("editor", { path: "a.go", new_text: "x", insert_line: 1 })).toEqual([
    ["c#0", "Edit", "a.go", null],
  ]);
});

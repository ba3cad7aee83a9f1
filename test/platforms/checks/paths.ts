import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Check, holds, same } from "../check.ts";
import { makeProject, type Place } from "../place.ts";
import { conversation, counts, payload } from "./main-job.ts";

const PROMPT = ["hook", "user-prompt-submit"];

/** Enables a project, notes something, and finds it again. */
async function remembers(
  place: Place,
  project: string,
  start: { env?: Record<string, string>; program?: string } = {},
) {
  const at = { cwd: makeProject(project), ...start };
  await place.ok(["enable", "--no-history"], at);
  await place.ok(["note", "Tiles of the harbour are drawn by Zephyr, since Mapnik had no tides."], at);
  holds(await place.ok(["search", "who draws the tiles of the harbour?", "--mode", "keyword"], at), "Zephyr");
}

async function settingsReturn(place: Place, name: string, text: string): Promise<void> {
  const project = makeProject(join(dirname(place.project), name));
  const file = join(project, ".claude", "settings.local.json");
  mkdirSync(dirname(file));
  writeFileSync(file, text);
  await place.ok(["enable", "--no-history"], { cwd: project });
  if (readFileSync(file, "utf8") === text) throw new Error("no hooks were written");
  await place.ok(["disable"], { cwd: project });
  same(readFileSync(file, "utf8"), text);
}

/** The hook of a prompt with the project named as somebody else would name it. */
async function answersFrom(place: Place, cwd: string): Promise<void> {
  holds(await place.ok(PROMPT, { stdin: payload("UserPromptSubmit", cwd) }), "FTS5");
}

const onWindows = (place: Place) => place.isWindows;
const beside = (place: Place, ...names: string[]) => join(dirname(place.project), ...names);

export const PATHS: readonly Check[] = [
  { name: "a project with spaces", run: (place) => remembers(place, beside(place, "my own project")) },
  {
    name: "a project with letters of other scripts",
    run: (place) => remembers(place, beside(place, "Größe 東京 ü")),
  },
  {
    name: "a project with what shells read",
    run: (place) => remembers(place, beside(place, "R&D (50% done) 'x' $HOME ^a")),
  },
  {
    name: "a project deeper than 260 characters",
    run: (place) =>
      remembers(place, beside(place, ...Array.from({ length: 8 }, (_, at) => `${at}${"d".repeat(40)}`))),
  },
  {
    name: "a program in a directory with spaces and brackets",
    async run(place) {
      const program = beside(
        place,
        "Program Files (x86)",
        "own tools",
        place.program.split(/[\\/]/).at(-1) ?? "",
      );
      mkdirSync(dirname(program), { recursive: true });
      await copyFile(place.program, program);
      await remembers(place, beside(place, "from-elsewhere"), { program });
      rmSync(program);
    },
  },
  {
    name: "a drive as a small letter",
    where: onWindows,
    run: (place) =>
      answersFrom(
        place,
        place.named(place.project).replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
      ),
  },
  {
    name: "slashes for backslashes",
    where: onWindows,
    run: (place) => answersFrom(place, place.named(place.project).replaceAll("\\", "/")),
  },
  {
    name: "capitals for small letters",
    where: onWindows,
    run: (place) => answersFrom(place, place.named(place.project).toUpperCase()),
  },
  {
    name: "a backslash at the end",
    where: onWindows,
    run: (place) => answersFrom(place, `${place.named(place.project)}\\`),
  },
  {
    name: "a long form of a path",
    where: onWindows,
    run: (place) => answersFrom(place, `\\\\?\\${place.named(place.project)}`),
  },
  {
    name: "a file of a filter with backslashes",
    where: onWindows,
    async run(place) {
      const names = async (path: string) => JSON.parse(await place.ok(["files", path, "--json"]));
      same(await names("src\\db\\migrate.ts"), await names("src/db/migrate.ts"));
      holds(JSON.stringify(await names("src\\db\\migrate.ts")), "touch");
    },
  },
  {
    name: "a project on another drive",
    where: (place) => place.otherDrive !== null,
    run: (place) => remembers(place, join(place.otherDrive ?? "", "work", "project")),
  },
  {
    name: "a home on another drive",
    where: (place) => place.otherDrive !== null,
    async run(place) {
      const home = join(place.otherDrive ?? "", "own home");
      mkdirSync(home, { recursive: true });
      // Wine takes these variables from its registry, so that only a program of its own can set them.
      const names = { USERPROFILE: home, LOCALAPPDATA: join(home, "local") };
      const lines = Object.entries(names).map(([name, path]) => `set "${name}=${place.named(path)}"`);
      const batch = beside(place, "at-home.bat");
      writeFileSync(batch, ["@echo off", ...lines, `"${place.named(place.program)}" %*`, ""].join("\r\n"));
      const cwd = makeProject(beside(place, "home-elsewhere"));
      const run = async (...args: string[]) => {
        const words = ["/c", place.named(batch), ...args];
        const { exitCode, stdout, stderr } = await place.system("cmd", words, { cwd });
        if (exitCode !== 0) throw new Error(`${args[0]} ended with ${exitCode}: ${stderr}`);
        return stdout;
      };
      await run("enable", "--no-history");
      await run("note", "Anchors are weighed before the tide turns.");
      holds(await run("search", "when are anchors weighed?", "--mode", "keyword"), "tide");
      const program = join(home, ".local", "share", "mementor", "bin", "mementor.exe");
      holds(await place.ok(["--version"], { program }), "mementor");
      await run("uninstall", "--purge", "--yes");
      same(existsSync(program), false);
    },
  },
  {
    name: "settings with CRLF return byte for byte",
    run: (place) => settingsReturn(place, "crlf", '{\r\n  "model": "opus", // mine\r\n  "env": {}\r\n}\r\n'),
  },
  {
    name: "settings with tabs and no last line break return",
    run: (place) => settingsReturn(place, "tabs", '{\n\t"model": "opus"\n}'),
  },
  {
    name: "transcripts with CRLF are read",
    async run(place) {
      const before = await counts(place);
      conversation(
        place,
        "88888888-2222-4333-8444-555555555555",
        "Sums are kept in cents. No floats.",
        "\r\n",
      );
      await place.ok(["ingest", "--text-only"]);
      same((await counts(place)).turns, before.turns + 1);
    },
  },
  {
    name: "a prompt after a byte order mark",
    async run(place) {
      const stdin = `\uFEFF${payload("UserPromptSubmit", place.named(place.project))}\r\n`;
      holds(await place.ok(PROMPT, { stdin }), "FTS5");
    },
  },
  {
    name: "an export to a file comes back",
    async run(place) {
      const file = beside(place, "a file.jsonl");
      await place.ok(["export", "-o", place.named(file)]);
      const cwd = makeProject(beside(place, "imports"));
      await place.ok(["enable", "--no-history"], { cwd });
      await place.ok(["import", place.named(file)], { cwd });
      same((await counts(place, cwd)).turns, (await counts(place)).turns);
    },
  },
  {
    name: "a report is written",
    async run(place) {
      const file = beside(place, "report of work.html");
      await place.ok(["report", "-o", place.named(file)]);
      holds(readFileSync(file, "utf8"), "<html");
    },
  },
  {
    name: "a temporary directory that is missing",
    // Wine takes these variables from its registry, and breaks where they are given to it.
    where: ({ runner }) => runner.kind !== "wine",
    async run(place) {
      const missing = place.named(beside(place, "gone", "temp"));
      const env = { TMPDIR: missing, TEMP: missing, TMP: missing };
      const stdin = payload("UserPromptSubmit", place.named(place.project));
      holds(await place.ok(PROMPT, { stdin, env }), "FTS5");
    },
  },
  {
    name: "a temporary directory with spaces",
    where: ({ runner }) => runner.kind !== "wine",
    async run(place) {
      const elsewhere = beside(place, "own temp");
      mkdirSync(elsewhere, { recursive: true });
      const temp = place.named(elsewhere);
      await remembers(place, beside(place, "with-temp"), { env: { TMPDIR: temp, TEMP: temp, TMP: temp } });
      same(readdirSync(elsewhere), []);
    },
  },
  {
    name: "a home that nothing can be written to stops no hook",
    async run(place) {
      const file = beside(place, "no-home");
      writeFileSync(file, "");
      const home = place.named(join(file, "home"));
      const env = {
        HOME: home,
        USERPROFILE: home,
        LOCALAPPDATA: home,
        XDG_DATA_HOME: home,
        XDG_CONFIG_HOME: home,
      };
      const stdin = payload("UserPromptSubmit", place.named(place.project));
      same((await place.run(PROMPT, { stdin, env })).exitCode, 0);
      same(readdirSync(dirname(file)).includes("no-home"), true);
    },
  },
];

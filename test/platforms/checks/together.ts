import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Check, holds, same } from "../check.ts";
import { makeProject, Place, type Start } from "../place.ts";
import { counts, payload, sampleIn } from "./main-job.ts";

const beside = (place: Place, ...names: string[]) => join(dirname(place.project), ...names);
const installed = (place: Place) =>
  join(place.home, ".local", "share", "mementor", "bin", place.isWindows ? "mementor.exe" : "mementor");

/** What of the settings starts a hook. */
interface Hook {
  command: string;
  args?: string[];
}

function hooksOf(project: string, event: string): Hook[] {
  const file = join(project, ".claude", "settings.local.json");
  const { hooks } = JSON.parse(readFileSync(file, "utf8"));
  return hooks[event].flatMap((entry: { hooks: Hook[] }) => entry.hooks);
}

/** Several processes, files that are open, and what starts the program. */
export const TOGETHER: readonly Check[] = [
  {
    name: "hooks start the installed program",
    async run(place) {
      const stdin = payload("UserPromptSubmit", place.named(place.project));
      holds(await place.ok(["hook", "user-prompt-submit"], { stdin, program: installed(place) }), "FTS5");
    },
  },
  {
    name: "the line of a hook in the settings answers",
    where: ({ runner, isWindows }) => runner.root === undefined && !isWindows,
    async run(place) {
      for (const { command } of hooksOf(place.project, "UserPromptSubmit"))
        for (const shell of ["sh", "bash"]) {
          const stdin = payload("UserPromptSubmit", place.named(place.project));
          holds((await place.system(shell, ["-c", command], { stdin })).stdout, "FTS5");
        }
    },
  },
  {
    name: "the line of a hook is for a shell that is there",
    where: (place) => place.isWindows,
    async run(place) {
      const [hook] = hooksOf(place.project, "UserPromptSubmit");
      const line = [hook?.command ?? "", ...(hook?.args ?? [])].join(" ");
      holds(line, "hook user-prompt-submit");
      const stdin = payload("UserPromptSubmit", place.named(place.project));
      const { exitCode } = await place.system("powershell", ["-NoProfile", "-Command", line], { stdin });
      same(exitCode, 0);
    },
  },
  {
    name: "the exec form of a hook answers",
    where: ({ runner }) => runner.kind !== "root",
    async run(place) {
      const cwd = makeProject(beside(place, "exec form"));
      const claude = await makeClaude(place);
      try {
        await place.ok(["enable", "--no-history"], { cwd });
      } finally {
        rmSync(claude);
      }
      const [hook] = hooksOf(cwd, "UserPromptSubmit");
      const { command = "", args } = hook ?? {};
      if (args === undefined) throw new Error(`not in the exec form: ${command}`);
      await place.ok(["ingest", place.named(sampleIn(place)), "--text-only"], { cwd });
      const stdin = payload("UserPromptSubmit", place.named(cwd));
      const { exitCode, stdout } = await place.system(command, args, { stdin, cwd });
      same(exitCode, 0);
      holds(stdout, "FTS5");
    },
  },
  {
    name: "completions for PowerShell",
    async run(place) {
      const script = await place.ok(["completions", "powershell"]);
      holds(script, "Register-ArgumentCompleter");
      const pwsh = Bun.which("pwsh");
      if (pwsh === null) return;
      const file = join(place.top, "completions.ps1");
      writeFileSync(
        file,
        `${script}\n(TabExpansion2 'mementor sea' 12).CompletionMatches[0].CompletionText\n`,
      );
      holds(await Bun.$`${pwsh} -NoProfile -File ${file}`.text(), "search");
    },
  },
  {
    name: "two processes read at once",
    async run(place) {
      const cwd = makeProject(beside(place, "two"));
      await place.ok(["enable", "--no-history"], { cwd });
      const sample = place.named(sampleIn(place));
      const read = () => place.ok(["ingest", sample, "--text-only"], { cwd });
      await Promise.all([read(), read()]);
      same((await counts(place, cwd)).turns, 62);
    },
  },
  {
    name: "six hooks at once answer",
    async run(place) {
      const ask = () =>
        place.ok(["hook", "user-prompt-submit"], {
          stdin: payload("UserPromptSubmit", place.named(place.project)),
        });
      const answers = await Promise.all(Array.from({ length: 6 }, ask));
      for (const answer of answers) holds(answer, "FTS5");
    },
  },
  {
    name: "a note is stored while a server runs",
    async run(place) {
      const server = await place.serve(installed(place));
      try {
        await place.ok(["note", "The server stays up while notes are written."]);
        holds(await place.ok(["search", "server notes written", "--mode", "keyword"]), "stays up");
      } finally {
        await server.stop();
      }
    },
  },
  {
    name: "an upgrade while a server runs from the old program",
    async run(place) {
      const program = beside(place, `newer${place.isWindows ? ".exe" : ""}`);
      await copyFile(place.program, program);
      await utimes(program, new Date("2026-12-01"), new Date("2026-12-01"));
      const server = await place.serve(installed(place));
      try {
        await place.ok(["prepare"], { program });
        holds(await place.ok(["--version"], { program: installed(place) }), "mementor");
      } finally {
        await server.stop();
      }
      await place.ok(["prepare"]);
      same(readdirSync(dirname(installed(place))).length, 1);
    },
  },
  {
    name: "sync through a folder to another home and back",
    async run(place) {
      const elsewhere = place.named(makeHome(place, "second home"));
      const env = { XDG_DATA_HOME: elsewhere, XDG_CONFIG_HOME: elsewhere, CLAUDE_CONFIG_DIR: elsewhere };
      await syncs(
        beside(place, "synced folder"),
        { place, start: { cwd: makeProject(beside(place, "sync-first")) } },
        { place, start: { cwd: makeProject(beside(place, "sync-second")), env } },
      );
    },
  },
  {
    name: "sync in one folder with a home on Linux, both ways",
    where: ({ neighbour }) => neighbour !== null,
    async run(place) {
      using linux = await Place.make("neighbour", place.neighbour ?? "", { kind: "own", words: [] });
      const here = { place, start: { cwd: makeProject(beside(place, "shared work")) } };
      const there = { place: linux, start: { cwd: linux.project } };
      await syncs(beside(place, "folder of both"), here, there);
      await linux.ok(["doctor"]);
    },
  },
  {
    name: "uninstall while a server runs takes the program",
    async run(place) {
      const server = await place.serve(installed(place));
      try {
        const { exitCode, stderr } = await place.run(["uninstall"]);
        same({ exitCode, stderr }, { exitCode: 0, stderr: "" });
        same(existsSync(dirname(installed(place))), false);
      } finally {
        await server.stop();
      }
      await place.ok(["enable", "--no-history"]);
    },
  },
];

/** A project of one home that takes part in a sync. */
interface Member {
  place: Place;
  start: Start;
}

/** Two homes share one folder: each finds what the other noted. */
async function syncs(folder: string, first: Member, second: Member): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const run = ({ place, start }: Member, ...args: string[]) => place.ok(args, start);
  const join = (member: Member, device: string, ...more: string[]) =>
    run(member, "sync", member.place.named(folder), "--as", "buoys", "--device", device, ...more, "--yes");
  for (const member of [first, second]) await run(member, "enable", "--no-history");
  await run(first, "note", "Buoys are polled every ninety seconds.");
  await join(first, "first");
  const code = `${folder}.code`;
  writeFileSync(code, await run(first, "sync", "code", "--print"));
  await run(second, "note", 'Größe von \u{1F6F0} "Bojen" in C:\\daten\\bojen.csv, nicht in /srv.');
  await join(second, "second", "--key-file", second.place.named(code));
  holds(await run(second, "search", "how often are buoys polled?", "--mode", "keyword"), "ninety");
  await run(first, "sync", "now");
  holds(await run(first, "search", "Bojen daten", "--mode", "keyword"), "C:\\daten\\bojen.csv");
}

function makeHome(place: Place, name: string): string {
  const home = beside(place, name);
  mkdirSync(home, { recursive: true });
  return home;
}

/** Puts a program into the home that says the version of a Claude Code that starts hooks without a shell. */
async function makeClaude(place: Place): Promise<string> {
  const file = join(place.home, ".local", "bin", place.isWindows ? "claude.exe" : "claude");
  mkdirSync(dirname(file), { recursive: true });
  if (!place.isWindows) {
    writeFileSync(file, "#!/bin/sh\necho 2.1.330\n", { mode: 0o755 });
    return file;
  }
  const source = join(place.top, "claude.ts");
  writeFileSync(source, 'console.log("2.1.330");\n');
  await Bun.$`${process.execPath} build --compile --target=bun-windows-x64 ${source} --outfile ${file}`.quiet();
  return file;
}

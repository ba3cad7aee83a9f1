import { mkdirSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../support/wait.ts";
import { type Check, holds, same } from "../check.ts";
import { ASKS, type Place } from "../place.ts";

const QUESTION = "why did we choose SQLite with FTS5 for the bookmarks instead of LMDB?";
const SESSION = "99999999-2222-4333-8444-555555555555";
const SAMPLE = join(import.meta.dir, "../../../fixtures/transcripts/sample");

/** Where the sample lies: below Claude Code's own, of which an agent, too, may have conversations read. */
export function sampleIn({ home }: Place): string {
  return join(home, ".claude", "projects", "sample");
}

/** Vectors by WASM, or in an emulator, take minutes: what reads the sample there leaves them out. */
function reading({ runner, name }: Place): string[] {
  return runner.isSlow || name.includes("musl") ? ["--text-only"] : [];
}

/** What an agent sends to a hook: of a new session, since a session is told a turn once. */
export function payload(event: string, cwd: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    session_id: crypto.randomUUID(),
    cwd,
    hook_event_name: event,
    prompt: `I wonder ${QUESTION}`,
    ...more,
  });
}

/** Writes a transcript of one question and its answer, and returns its file. */
export function conversation(place: Place, id: string, answer: string, lineBreak = "\n"): string {
  const cwd = place.named(place.project);
  const directory = join(place.home, ".claude", "projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(directory, { recursive: true });
  const common = {
    cwd,
    sessionId: id,
    version: "2.1.330",
    gitBranch: "main",
    isSidechain: false,
    userType: "external",
  };
  const content = [{ type: "text", text: answer }];
  const lines = [
    {
      parentUuid: null,
      type: "user",
      message: { role: "user", content: "which font does the label layer use for Arabic?" },
      uuid: `u1-${id}`,
      timestamp: "2026-11-20T10:00:00.000Z",
      ...common,
    },
    {
      parentUuid: `u1-${id}`,
      type: "assistant",
      message: {
        id: `m-${id}`,
        type: "message",
        role: "assistant",
        model: "m",
        content,
        stop_reason: "end_turn",
      },
      uuid: `u2-${id}`,
      timestamp: "2026-11-20T10:00:30.000Z",
      ...common,
    },
  ];
  const file = join(directory, `${id}.jsonl`);
  writeFileSync(file, lines.map((line) => JSON.stringify(line) + lineBreak).join(""));
  return file;
}

/** The counts of a memory, as `status` says them. */
export async function counts(place: Place, cwd = place.project): Promise<{ turns: number; pending: number }> {
  const { database } = JSON.parse(await place.ok(["status", "--json"], { cwd }));
  const { turns = -1, pending_chunks: pending = -1 } = database?.content ?? {};
  return { turns, pending };
}

/** What somebody does on the first day. */
const FIRST_DAY: readonly Check[] = [
  { name: "version", run: async (place) => holds(await place.ok(["--version"]), "mementor") },
  { name: "help", run: async (place) => holds(await place.ok(["--help"]), "enable") },
  { name: "enable", run: async (place) => holds(await place.ok(["enable", "--no-history"]), "Enabled") },
  {
    name: "the worker of an ended turn",
    async run(place) {
      const file = conversation(
        place,
        SESSION,
        "Labels in Arabic use Noto Naskh, since the bitmap font has no shaping.",
      );
      const more = { session_id: SESSION, transcript_path: place.named(file), stop_hook_active: false };
      await place.ok(["hook", "stop"], { stdin: payload("Stop", place.named(place.project), more) });
      await until("the turn is embedded", async () => {
        const { turns, pending } = await counts(place);
        return turns === 1 && pending === 0;
      });
    },
  },
  {
    name: "reading the sample",
    async run(place) {
      await cp(SAMPLE, sampleIn(place), { recursive: true });
      holds(await place.ok(["ingest", place.named(sampleIn(place)), ...reading(place)]), "62 new");
      const asked = ["search", QUESTION, "-k", "1", "--mode", "keyword", "--json"];
      const { results } = JSON.parse(await place.ok(asked));
      // A turn that is told again and again without effect makes way for others, unless it is pinned.
      await place.ok(["mark", "pin", String(results[0].turn_id)]);
    },
  },
  {
    name: "search",
    where: (place) => reading(place).length === 0,
    run: async (place) => holds(await place.ok(["search", QUESTION, "-k", "1"]), "FTS5"),
  },
  {
    name: "search by words",
    run: async (place) => holds(await place.ok(["search", QUESTION, "-k", "1", "--mode", "keyword"]), "FTS5"),
  },
  {
    name: "the hook of a prompt",
    async run(place) {
      const stdin = payload("UserPromptSubmit", place.named(place.project));
      holds(await place.ok(["hook", "user-prompt-submit"], { stdin }), "FTS5");
    },
  },
  {
    name: "the hook of a session's start",
    async run(place) {
      await place.ok(["hook", "session-start"], {
        stdin: payload("SessionStart", place.named(place.project)),
      });
    },
  },
  { name: "doctor", run: async (place) => holds(await place.ok(["doctor"]), "round-trip") },
  { name: "the MCP server", run: async (place) => holds(await place.ok(["mcp"], { stdin: ASKS }), "search") },
];

/** What takes all of it away again. */
const LAST_DAY: readonly Check[] = [
  {
    name: "uninstall --purge",
    run: async (place) => holds(await place.ok(["uninstall", "--purge", "--yes"]), "deleted the memory"),
  },
  {
    name: "nothing is left in the home",
    async run(place) {
      const { Glob } = Bun;
      const left = () =>
        [...new Glob("**/*mementor*").scanSync({ cwd: place.home, dot: true, onlyFiles: false })]
          .filter((path) => !/^\.claude[\\/]projects/.test(path))
          .sort();
      await until("the program's file is gone", () => !left().some((name) => name.endsWith(".tmp")));
      same(left(), []);
    },
  },
];

const essential = (check: Check): Check => ({ ...check, isEssential: true });

export const MAIN_JOB: readonly Check[] = FIRST_DAY.map(essential);
export const GOING: readonly Check[] = LAST_DAY.map(essential);

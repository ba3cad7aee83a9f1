import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import fc from "fast-check";
import type { Agent } from "../../src/agents/agent.ts";
import { agentName } from "../../src/agents/agent.ts";
import { agentOf, containerOf, filesOfSession } from "../../src/agents/list.ts";
import { findProject } from "../../src/io/git/project.ts";
import type { IngestStore } from "../../src/store/store.ts";
import type { WriteBatch } from "../../src/store/stored.ts";
import { type Contents, contentsOf, remembered } from "../ingest/contents.ts";
import { TestMemory } from "../ingest/memory.ts";
import { fcOptions } from "../support/fast-check.ts";
import { describeRead, readAll } from "../support/read-turns.ts";
import { SCRATCH } from "../support/scratch.ts";
import { sessionsOf } from "./sources.ts";

/** An agent, and what it left in a home directory. */
export interface AgentCase {
  agent: Agent;
  /** Puts the agent's files into an empty home directory. */
  install: (home: string) => void;
  /** The working directory that its records name. It need not exist. */
  project: string;
  /** Ids of all sessions of the project, subagents not counted, in alphabetical order. */
  sessions: readonly string[];
  /** Where it is written down what the sources say; `UPDATE_GOLDEN=1` writes it anew. */
  golden?: string;
  /** Words of its files that no memory may hold: injected context, echoes, our own memory. */
  neverStored: readonly string[];
  /** Puts a record of a kind that nobody knows into a source, at its end; returns the kind that it is counted under. */
  addUnknown: (source: string) => string;
  /** For sources that are appended to: a record with half of it missing, as a line in the middle gets by a crash. */
  badLine?: string;
  /** Writes a source with the same content in other bytes, or at another time; by default more blanks in its JSON. */
  rewrite?: (source: string) => void;
  /** For sources that are replaced: what the home directory was like before, oldest first. */
  earlier?: readonly ((home: string) => void)[];
}

/** What a transcript holds, under the ids of a fork that copied it. */
function forked(batch: WriteBatch): WriteBatch {
  const fork = <Facts extends { sessionId: string }>(facts: Facts) => ({
    ...facts,
    sessionId: `${facts.sessionId}-fork`,
  });
  const { source, turns, sessions, subagents, copies, prLinks, compactions } = batch;
  return {
    ...batch,
    source: {
      ...source,
      path: `${source.path}-fork`,
      sessionId: source.sessionId && `${source.sessionId}-fork`,
    },
    turns: turns.map(({ turn, chunks }) => ({
      turn: fork({
        ...turn,
        promptUuid: turn.promptUuid && `${turn.promptUuid}-fork`,
        entryUuids: turn.entryUuids.map((uuid) => `${uuid}-fork`),
      }),
      chunks,
    })),
    sessions: sessions.map(fork),
    subagents: subagents.map(fork),
    copies: copies.map(fork),
    prLinks: prLinks.map(fork),
    compactions: compactions.map(fork),
  };
}

/** Moves what lies in a folder to another one, and puts links in its place: one for each entry, or for each file below. */
function moveAndLink(folder: string, to: string, isByFile: boolean): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [from, there] = [join(folder, entry.name), join(to, entry.name)];
    if (isByFile && entry.isDirectory()) moveAndLink(from, there, true);
    else {
      renameSync(from, there);
      symlinkSync(there, from);
    }
  }
}

/** What every agent promises to an ingest. */
export function agentContract(given: AgentCase): void {
  const { agent, project } = given;
  describe(`${agentName(agent.id)} keeps the contract of an agent`, () => {
    let home: string;
    let whole: Contents;
    const environment = () => ({ env: {}, homeDir: home, platform: "linux" as const });
    const sources = async () => {
      const sessions = sessionsOf(agent, findProject(project), environment());
      const files: string[] = [];
      for (const session of sessions) for await (const file of filesOfSession(session)) files.push(file);
      return files;
    };
    const reset = () => {
      rmSync(home, { recursive: true, force: true });
      given.install(home);
    };
    const read = async (memory: TestMemory, paths: readonly string[]) => {
      const report = await memory.ingest(paths, { textOnly: true });
      expect(report.failures).toEqual([]);
      return report;
    };

    beforeAll(async () => {
      home = mkdtempSync(join(SCRATCH, "mementor-agent-"));
      reset();
      await using memory = await TestMemory.create();
      await read(memory, await sources());
      whole = contentsOf(memory.file);
    });
    afterAll(() => rmSync(home, { recursive: true, force: true }));

    test("its sources are its own, below its roots, and belong to the project", async () => {
      reset();
      const found = await sources();
      expect(found.length).toBeGreaterThanOrEqual(given.sessions.length);
      expect([...new Set(found.map((path) => agentOf(path).id))]).toEqual([agent.id]);
      const roots = agent.roots(environment());
      for (const path of found) expect(roots.some((root) => containerOf(path).startsWith(root))).toBe(true);
      expect(sessionsOf(agent, findProject(`${project}-other`), environment())).toEqual([]);
      expect(sessionsOf(agent, findProject(project), environment(), () => false)).toEqual([]);
    });

    test("the memory holds its sessions, and none of the words that nobody said", () => {
      expect(ids(whole)).toEqual([...given.sessions]);
      expect([...new Set((whole.sessions ?? []).map((session) => session[2]))]).toEqual([agent.id]);
      const text = JSON.stringify([whole.turns, whole.mentions, whole.sessions, whole.commits]);
      expect(given.neverStored.filter((words) => text.includes(words))).toEqual([]);
      expect(whole.integrity).toEqual([["ok"]]);
    });

    test.each(["folders", "files"])(
      "its sources are found where its %s are links, as dot-files are kept",
      async (kind) => {
        reset();
        const before = (await sources()).map((path) => relative(home, path)).sort();
        const kept = mkdtempSync(join(SCRATCH, "mementor-kept-"));
        try {
          const roots = agent.roots(environment()).filter((root) => existsSync(root));
          for (const root of roots) moveAndLink(root, join(kept, basename(root)), kind === "files");
          expect((await sources()).map((path) => relative(home, path)).sort()).toEqual(before);
        } finally {
          rmSync(kept, { recursive: true, force: true });
        }
      },
    );

    const { golden } = given;
    if (golden !== undefined)
      test("its sources say what is written down", async () => {
        reset();
        const read: string[] = [];
        for (const path of await sources())
          read.push(`=== ${relative(home, path)}\n${describeRead(await readAll(path))}`);
        if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, read.join("\n"));
        expect(read.join("\n")).toBe(readFileSync(golden, "utf8"));
      });

    test("reading twice changes nothing", async () => {
      reset();
      await using memory = await TestMemory.create();
      await read(memory, await sources());
      const again = await read(memory, await sources());
      expect([again.files.read, again.files.rewritten]).toEqual([0, 0]);
      expect(contentsOf(memory.file)).toEqual(whole);
    });

    test("what was forgotten does not come back with a fork that copies it under new ids", async () => {
      reset();
      await using memory = await TestMemory.create();
      await read(memory, await sources());
      const { forget, ingest, search } = memory.store;
      const { turns } = await search.totals();
      const turnIds = Array.from({ length: turns }, (_, i) => i + 1);
      await forget.forget(await forget.plan({ turnIds }));
      const fork: IngestStore = Object.assign(Object.create(ingest), {
        source: async () => null,
        knownEntries: async () => new Map(),
        write: (batch: WriteBatch) => ingest.write(forked(batch)),
      });
      await memory.ingest(await sources(), { store: fork, textOnly: true });
      const after = contentsOf(memory.file);
      expect([turns > 0, after.turns, after.prLinks]).toEqual([true, [], []]);
    });

    test("what grows in pieces is remembered like what is read at once", async () => {
      const states = given.earlier;
      if (states !== undefined) {
        await using memory = await TestMemory.create();
        for (const state of [...states, () => {}]) {
          reset();
          state(home);
          await read(memory, await sources());
        }
        expect(comparable(contentsOf(memory.file))).toEqual(comparable(whole));
        return;
      }
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
          async (shares) => {
            reset();
            await using memory = await TestMemory.create();
            const files = await sources();
            for (const path of files) {
              const bytes = readFileSync(path);
              for (const share of [...shares].sort()) {
                writeFileSync(path, bytes.subarray(0, Math.floor(share * bytes.length)));
                await read(memory, [path]);
              }
              writeFileSync(path, bytes);
              await read(memory, [path]);
            }
            expect(comparable(contentsOf(memory.file))).toEqual(comparable(whole));
          },
        ),
        { ...fcOptions(), numRuns: Math.min(fcOptions().numRuns ?? 10, 10) },
      );
    }, 300_000);

    test("what is written anew with the same content keeps its turns", async () => {
      reset();
      await using memory = await TestMemory.create();
      const files = await sources();
      await read(memory, files);
      for (const path of files) (given.rewrite ?? withBlanks)(path);
      const report = await read(memory, files);
      expect(report.files.rewritten).toBe(files.length);
      expect(report.turns.inserted).toBe(0);
      expect(comparable(contentsOf(memory.file))).toEqual(comparable(whole));
    });

    test("a record of an unknown kind is counted, and costs no other", async () => {
      reset();
      const [path] = await sources();
      if (path === undefined) throw new Error("the fixture has no session");
      const kind = given.addUnknown(path);
      await using memory = await TestMemory.create();
      const report = await read(memory, await sources());
      expect(report.lines.skipped[kind]).toBeGreaterThanOrEqual(1);
      expect(texts(contentsOf(memory.file))).toEqual(texts(whole));
    });

    const { badLine } = given;
    if (badLine !== undefined)
      test("a bad line costs itself", async () => {
        reset();
        const files = await sources();
        for (const path of files) {
          const lines = readFileSync(path, "utf8").trimEnd().split("\n");
          const damaged = [...lines.slice(0, -1), badLine, "\0\0\0", "[]", ...lines.slice(-1)];
          writeFileSync(path, `${damaged.join("\n")}\n{"half": "writ`);
        }
        await using memory = await TestMemory.create();
        const { skipped } = (await read(memory, files)).lines;
        expect(skipped).toMatchObject({
          malformed: files.length,
          non_object: files.length,
          nul: files.length,
        });
        expect(texts(contentsOf(memory.file))).toEqual(texts(whole));
      });

    test("a source that is gone, empty or cut off harms nothing", async () => {
      reset();
      await using memory = await TestMemory.create();
      const files = await sources();
      await read(memory, files);
      for (const path of new Set(files.map((file) => containerOf(file)))) truncateSync(path, 0);
      await memory.ingest(files, { textOnly: true });
      for (const path of new Set(files.map((file) => containerOf(file)))) rmSync(path);
      await memory.ingest(files, { textOnly: true });
      expect(files.map((path) => agent.stampOf(path))).toEqual(files.map(() => null));
      expect(texts(contentsOf(memory.file))).toEqual(texts(whole));
    });
  });
}

/** Copies a folder of fixtures into a home directory. */
export function installFolder(folder: string): (home: string) => void {
  return (home) => cpSync(folder, home, { recursive: true });
}

/** Adds a line to a source that is appended to. */
export function addLine(source: string, record: object): void {
  appendFileSync(source, `${JSON.stringify(record)}\n`);
}

function ids({ sessions }: Contents): unknown[] {
  return (sessions ?? []).map(([id]) => id).sort();
}

/** Without how the files were read, and what depends on the moment of reading. */
function comparable(contents: Contents): Contents {
  const { sources: _, ...rest } = remembered(contents);
  return rest;
}

/** The texts of all turns, whatever their place. */
function texts({ turns }: Contents): unknown[] {
  return (turns ?? []).map((turn) => JSON.stringify([turn[0], turn[3], turn.at(-1)])).sort();
}

/** Adds blanks to each line's end. */
function withBlanks(path: string): void {
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.map((line) => line.replace(/\}$/, " }")).join("\n"));
}

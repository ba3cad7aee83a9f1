import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Turn } from "../../src/domain.ts";
import { type HookHandlers, runHook } from "../../src/hooks/run.ts";
import type { Host } from "../../src/host.ts";
import { registerMemory } from "../../src/project/claim.ts";
import { memoryPlace } from "../../src/project/trust.ts";
import { Runtime } from "../../src/runtime.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { chunksOf, source, turn } from "../store/builders.ts";

export const NOW = new Date("2026-03-01T12:00:00Z");

export interface HookOptions {
  handlers?: HookHandlers;
  env?: Record<string, string>;
  /** What starts the worker; a program that does nothing unless given. */
  self?: readonly string[];
  /** Where the process runs; the project's root unless given. */
  cwd?: string;
  elapsedMs?: () => number;
  now?: Date;
  /** Reads stdin in place of the input. */
  read?: (limit: number) => Promise<Uint8Array | null>;
}

/** A project with its own HOME in a fresh directory, whose hooks run in this process. */
export class HookProject implements Disposable {
  readonly dir: string;
  readonly home: string;
  readonly root: string;

  constructor() {
    this.dir = realpathSync(mkdtempSync(join(tmpdir(), "mementor-hooks-")));
    this.home = join(this.dir, "home");
    this.root = join(this.dir, "app");
    mkdirSync(this.home);
    mkdirSync(join(this.root, ".git/objects"), { recursive: true });
    mkdirSync(join(this.root, ".git/refs"));
    writeFileSync(join(this.root, ".git/HEAD"), "ref: refs/heads/main\n");
    chmodSync(this.file("bin/mementor"), 0o755);
  }

  get memoryDir(): string {
    return memoryPlace(this.dirs, this.root).directory;
  }

  get dirs() {
    return {
      configDir: join(this.home, ".config/mementor"),
      dataDir: join(this.home, ".local/share/mementor"),
    };
  }

  enable(): void {
    registerMemory(this.dirs, this.root, { now: NOW, settings: [] });
  }

  file(path: string, content = ""): string {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  async withStore<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
    const store = await new Runtime(this.host([], ""), { cwd: this.root }).openStore("create");
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** Stores turns, each with its text, its session and what else is told of it. */
  seed(turns: readonly (Partial<Turn> & { text: string; sessionId: string })[]): Promise<void> {
    return this.withStore(async (store) => {
      for (const [index, facts] of turns.entries()) {
        const { sessionId } = facts;
        const made = turn(facts.lineIndex ?? index, facts.text, facts);
        await store.ingest.write({
          source: source({ path: `/t/${sessionId}.jsonl`, sessionId, lineIndex: index + 1 }),
          rewritten: false,
          sessions: [],
          subagents: [],
          turns: [{ turn: made, chunks: chunksOf(made.text) }],
          copies: [],
          prLinks: [],
          compactions: [],
        });
      }
    });
  }

  /** Runs a hook on this input and returns what it wrote. */
  async hook(
    event: string,
    input: unknown,
    options: HookOptions = {},
  ): Promise<{ stdout: string; stderr: string }> {
    const stdin = typeof input === "string" || input instanceof Uint8Array ? input : JSON.stringify(input);
    const written = { stdout: "", stderr: "" };
    await runHook(this.host(["hook", event], stdin, options, written), options.handlers);
    return written;
  }

  /** The text that a hook adds to Claude's context; null when it says nothing. */
  async told(event: string, input: unknown, options: HookOptions = {}): Promise<string | null> {
    const { stdout } = await this.hook(event, input, options);
    return stdout === "" ? null : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  }

  /** The decision of the call that was recorded last. */
  lastDecision(): unknown {
    const calls = readFileSync(join(this.memoryDir, "queue/calls.jsonl"), "utf8").trim().split("\n");
    return JSON.parse(calls.at(-1) ?? "{}").decision;
  }

  /** The turns that each recorded call named. */
  notedTurns(): unknown[] {
    const calls = readFileSync(join(this.memoryDir, "queue/calls.jsonl"), "utf8").trim().split("\n");
    return calls.map((call) => JSON.parse(call).turns);
  }

  private host(
    argv: readonly string[],
    stdin: string | Uint8Array,
    { env, self, cwd, elapsedMs, now, read }: HookOptions = {},
    written = { stdout: "", stderr: "" },
  ): Host {
    const output = (name: "stdout" | "stderr") => ({
      isTerminal: false,
      columns: null,
      write(text: string) {
        written[name] += text;
      },
    });
    return {
      argv,
      env: { HOME: this.home, PATH: join(this.dir, "bin"), ...env },
      cwd: cwd ?? this.root,
      homeDir: this.home,
      tempDir: this.dir,
      uid: process.getuid?.() ?? null,
      platform: "linux",
      self: self ?? ["/bin/true"],
      now: () => now ?? NOW,
      elapsedMs: elapsedMs ?? (() => 0),
      stdin: {
        isTerminal: false,
        isNamedFile: false,
        read: read ?? (async () => Buffer.from(stdin)),
        readLine: async () => null,
        chunks: async function* () {},
      },
      stdout: output("stdout"),
      stderr: output("stderr"),
      interrupted: () => new AbortController().signal,
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

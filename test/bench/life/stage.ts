import { mkdirSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderName } from "../../../src/agents/claude-code/project-sessions.ts";
import { TIME_VARIABLE } from "../../../src/host.ts";
import { asObject, asString, parseObject } from "../../../src/io/json.ts";
import { outcomeOf } from "../../support/outcome.ts";

/** What a hook said, and how long it took. */
export interface HookAnswer {
  /** Empty where it was silent. */
  text: string;
  ms: number;
}

/** A home directory with one project in it whose memory is empty at first. Removed at the end. */
export class Stage implements AsyncDisposable {
  readonly project: string;
  /** Where the client keeps the transcripts of the project. */
  readonly transcripts: string;
  readonly #directory: string;
  readonly #binary: string;
  readonly #turns = new Map<number, Promise<{ session: string; line: number }>>();

  private constructor(directory: string, binary: string) {
    this.#directory = directory;
    this.#binary = binary;
    this.project = join(directory, "project");
    this.transcripts = join(directory, "home", ".claude", "projects", folderName(this.project));
  }

  /** @param settings each `key=value`, as for `mementor config set`. */
  static async open(binary: string, settings: readonly string[]): Promise<Stage> {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "mementor-life-")));
    const stage = new Stage(directory, binary);
    for (const path of [stage.project, stage.transcripts]) mkdirSync(path, { recursive: true });
    await Bun.$`git init -q ${stage.project}`.quiet();
    await stage.#run(["enable", "--no-history"]);
    for (const setting of settings) {
      const [key = "", ...value] = setting.split("=");
      await stage.#run(["config", "set", key, value.join("=")]);
    }
    return stage;
  }

  /** The file of the memory. */
  get database(): string {
    const home = join(this.#directory, "home");
    const [found] = [...new Bun.Glob("**/mementor.db").scanSync({ cwd: home, dot: true })];
    if (found === undefined) throw new Error(`no memory in ${home}`);
    return join(home, found);
  }

  /** Reads transcripts into the memory, with their vectors unless `--text-only` is among the options. */
  async ingest(paths: readonly string[], time: string, options: readonly string[] = []): Promise<void> {
    if (paths.length > 0) await this.#run(["ingest", ...options, ...paths], { time });
  }

  /** Asks a hook at a time of the history. */
  async hook(event: string, payload: object, time: string): Promise<HookAnswer> {
    const startedAt = performance.now();
    const stdout = await this.#run(["hook", event], { stdin: JSON.stringify(payload), time });
    const ms = Math.round(performance.now() - startedAt);
    const output = asObject(parseObject(stdout)?.hookSpecificOutput);
    if (stdout.trim() !== "" && output === null) throw new Error(`the hook ${event} answered ${stdout}`);
    return { text: asString(output?.additionalContext) ?? "", ms };
  }

  /** Returns where a turn begins. */
  turn(turnId: number): Promise<{ session: string; line: number }> {
    const found = this.#turns.get(turnId) ?? this.#show(turnId);
    this.#turns.set(turnId, found);
    return found;
  }

  async #show(turnId: number): Promise<{ session: string; line: number }> {
    const { session_id: session, line_index: line } = JSON.parse(
      await this.#run(["show", String(turnId), "--json"]),
    );
    return { session, line };
  }

  async #run(args: readonly string[], { stdin = "", time = "" } = {}): Promise<string> {
    const child = Bun.spawn([this.#binary, ...args], {
      cwd: this.project,
      env: {
        HOME: join(this.#directory, "home"),
        PATH: process.env.PATH ?? "",
        LANG: "C.UTF-8",
        ...(time !== "" && { [TIME_VARIABLE]: new Date(time).toISOString() }),
      },
      stdin: Buffer.from(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const { stdout, stderr, exitCode } = await outcomeOf(child);
    if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")} exited with ${exitCode}: ${stderr}`);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

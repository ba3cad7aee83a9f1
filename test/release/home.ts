import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { PATIENCE_VARIABLE } from "../../src/host.ts";
import { outcomeOf } from "../support/outcome.ts";

const SAMPLE = resolve(import.meta.dir, "../../fixtures/transcripts/sample");
export const QUESTION = "why did we choose SQLite with FTS5 for the bookmarks instead of LMDB?";
/** What nothing of may be left once it is uninstalled; what a package manager keeps is left to that. */
const WRITTEN = [
  ".cache/mementor",
  ".config/mementor",
  ".local/share/mementor",
  "project/.claude/settings.local.json",
];

/** How a process is started in a home. */
interface Start {
  stdin?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** An empty home directory with a project, in which the program is installed in one way. */
export class Home {
  readonly path: string;
  readonly project: string;
  /** What processes get in the environment beside HOME and PATH. */
  readonly env: Record<string, string> = {};

  constructor(path: string) {
    this.path = path;
    this.project = join(path, "project");
    mkdirSync(join(this.project, ".git"), { recursive: true });
    writeFileSync(join(this.project, ".git", "HEAD"), "ref: refs/heads/main\n");
  }

  /** Runs a program to its end. Throws with what it printed unless it ends with 0. */
  async run(
    command: readonly string[],
    { stdin = "", cwd = this.project, env = {} }: Start = {},
  ): Promise<string> {
    const own = [join(this.path, ".local", "bin"), join(this.path, "pnpm"), dirname(Bun.which("node") ?? "")];
    const system =
      process.platform === "win32" ? [process.env.PATH ?? process.env.Path ?? ""] : ["/usr/bin", "/bin"];
    const { TEMP = this.path, SYSTEMROOT = "" } = process.env;
    const child = Bun.spawn([...command], {
      cwd,
      env: {
        HOME: this.path,
        USERPROFILE: this.path,
        TEMP,
        TMP: TEMP,
        SYSTEMROOT,
        PATH: [...own, ...system].join(delimiter),
        [PATIENCE_VARIABLE]: "40",
        ...this.env,
        ...env,
      },
      stdin: Buffer.from(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const { exitCode, stdout, stderr } = await outcomeOf(child);
    if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
    return stdout;
  }

  /**
   * Does what somebody does first: enables, reads the sample, asks, and has the hook of a prompt answer. Returns by what
   * `upgrade` would upgrade it. `withVectors` reads by meaning too, which takes some seconds.
   */
  async firstAnswer(program: readonly string[], withVectors = false): Promise<string> {
    const mementor = (...args: string[]) => this.run([...program, ...args]);
    await mementor("enable", "--no-history");
    await mementor("ingest", SAMPLE, ...(withVectors ? [] : ["--text-only"]));
    holds(await mementor("search", QUESTION, "-k", "1"), "FTS5");
    const payload = { session_id: "try", cwd: this.project, prompt: `I wonder ${QUESTION}` };
    const stdin = JSON.stringify(payload);
    holds(await this.run([this.#installed, "hook", "user-prompt-submit"], { stdin }), "FTS5");
    return JSON.parse(await mementor("upgrade", "--json")).method;
  }

  /** Uninstalls, and throws where something is left, or the program of an installer. */
  async leave(program: readonly string[]): Promise<void> {
    const { method } = JSON.parse(await this.run([...program, "upgrade", "--json"]));
    await this.run([...program, "uninstall", "--purge", "--yes"]);
    const own = method === "installer" ? [".local/bin/mementor"] : [];
    const left = [...WRITTEN, ...own].filter((name) => existsSync(join(this.path, name)));
    if (left.length > 0) throw new Error(`uninstall left ${left.join(", ")}`);
  }

  /** The program that hooks start. */
  get #installed(): string {
    const name = process.platform === "win32" ? "mementor.exe" : "mementor";
    return join(this.path, ".local", "share", "mementor", "bin", name);
  }
}

/** Throws unless a text holds another one. */
export function holds(text: string, wanted: string): void {
  if (!text.includes(wanted)) throw new Error(`no ${JSON.stringify(wanted)} in:\n${text.slice(0, 2000)}`);
}

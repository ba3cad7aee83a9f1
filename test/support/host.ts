import { join } from "node:path";
import { runCli } from "../../src/cli/run.ts";
import type { Host } from "../../src/host.ts";

export interface Answer {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface HostOptions {
  argv: readonly string[];
  cwd: string;
  homeDir: string;
  now: Date;
  /** Characters a line of a terminal; a pipe when absent. */
  columns?: number;
  env?: Record<string, string>;
}

/** What is made of the checkout's model for this machine: once, for that takes half a second of work. */
const CACHE = join(import.meta.dir, "../../.cache");

/** Runs a command line in this process, with everything that it sees of the machine given. */
export async function runIn(options: HostOptions): Promise<Answer> {
  const { host, written } = hostIn(options);
  return { exitCode: await runCli(host), ...written };
}

/** A host for a test, and what is written to it. */
export function hostIn(options: HostOptions): { host: Host; written: { stdout: string; stderr: string } } {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    isTerminal: options.columns !== undefined,
    columns: options.columns ?? null,
    write(text: string) {
      written[name] += text;
    },
  });
  // An uninstall removes its cache.
  const cache = options.argv.includes("uninstall") ? "" : CACHE;
  const host: Host = {
    argv: options.argv,
    env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", XDG_CACHE_HOME: cache, ...options.env },
    cwd: options.cwd,
    homeDir: options.homeDir,
    tempDir: options.homeDir,
    uid: null,
    platform: "linux",
    self: ["/bin/true"],
    now: () => options.now,
    elapsedMs: () => 0,
    stdin: {
      isTerminal: false,
      read: async () => new Uint8Array(),
      readLine: async () => null,
      isNamedFile: false,
      chunks: async function* () {},
    },
    stdout: output("stdout"),
    stderr: output("stderr"),
    interrupted: () => new AbortController().signal,
  };
  return { host, written };
}

import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { schemaProblems } from "../support/schema.ts";

/** A machine of the user: a home, and a clone of the project at a path of its own. */
export interface Machine {
  sandbox: Sandbox;
  run(args: string[], stdin?: string): Promise<string>;
  fails(...args: string[]): Promise<{ exitCode: number | null; stderr: string }>;
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints is checked by the test
  json(...args: string[]): Promise<any>;
}

/** Makes a machine of the user, with a clone of the project that is not enabled yet. */
export async function machine(): Promise<Machine> {
  const sandbox = await Sandbox.create();
  const cwd = sandbox.project;
  await git(cwd, "init", "-q");
  await git(cwd, "remote", "add", "origin", "git@github.com:acme/shop.git");
  const run = async (args: string[], stdin = "") => {
    const { stdout, stderr, exitCode } = await sandbox.run(args, { cwd, stdin });
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: "" });
    return stdout;
  };
  const fails = async (...args: string[]) => {
    const { stderr, exitCode } = await sandbox.run(args, { cwd, stdin: "" });
    return { exitCode, stderr };
  };
  const json = async (...args: string[]) => {
    const value = JSON.parse(await run([...args, "--json"]));
    if (args[0] === "sync")
      expect({ args, problems: schemaProblems("sync", value) }).toEqual({ args, problems: [] });
    return value;
  };
  return { sandbox, run, fails, json };
}

/** The files of a machine's memories that hold a word in their bytes. */
export function holding(words: string, { sandbox }: Machine): string[] {
  const memory = join(sandbox.home, ".local", "share", "mementor");
  return readdirSync(memory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => readFileSync(file).toString("latin1").includes(words));
}

import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ioError } from "../../io/errors.ts";
import { readIfExists } from "../../io/read.ts";
import { writeAtomic } from "../../io/write.ts";
import type { SettingsChange } from "../settings/settings-file.ts";
import type { AgentTarget } from "./targets.ts";

/** A file of rules that is mementor's alone, beside the settings of an agent that reads a directory of such files. */
interface PermissionForm {
  path: readonly string[];
  /** Its text. The program's path is as it stands in quotes; null where there is none. */
  text: (program: string | null) => string;
}

const REMARK = '# Written by mementor, which reads the memory of a project. "mementor disable" removes it.\n';

const FORMS: Readonly<Record<string, PermissionForm>> = {
  codex: {
    path: ["rules", "mementor.rules"],
    text(program) {
      const rules = namesOf(program).map(
        (name) => `prefix_rule(pattern = ["${name}", "recall"], decision = "allow")\n`,
      );
      return REMARK + rules.join("");
    },
  },
  gemini: {
    path: ["policies", "mementor.toml"],
    text(program) {
      const commands = namesOf(program).map((name) => `"${name} recall"`);
      return `${REMARK}[[rule]]
toolName = "run_shell_command"
commandPrefix = [${commands.join(", ")}]
decision = "allow"
priority = 100
`;
    },
  },
};

function namesOf(program: string | null): string[] {
  return ["mementor", ...(program === null ? [] : [program])];
}

/** Stands for the program's path in a text. */
const PLACE = "PROGRAM";
/** A path as it stands in quotes. */
const IN_QUOTES = /^(?:[^"\\\n]|\\["\\])+$/;

/** State of the file that lets an agent query the memory without asking the user. */
export interface PermissionFile {
  file: string;
  /** `foreign`: a file of this name with other content, which is never changed. */
  state: "none" | "current" | "outdated" | "foreign";
}

/** What was done to such a file. */
export interface PermissionFileChange {
  file: string;
  change: SettingsChange | "foreign";
}

type Target = Pick<AgentTarget, "id" | "file">;

/** Reads the file that permits an agent to run `mementor recall` without asking; null for an agent that has none. Never throws. */
export function permissionFile({ id, file: settings }: Target, program: Program): PermissionFile | null {
  const form = FORMS[id];
  if (form === undefined) return null;
  const file = join(dirname(settings), ...form.path);
  try {
    return { file, state: stateOf(readIfExists(file), form, program) };
  } catch {
    return { file, state: "foreign" };
  }
}

type Program = string | null | undefined;

function stateOf(text: string | null, form: PermissionForm, program: Program): PermissionFile["state"] {
  if (text === null) return "none";
  if (text === textFor(form, program)) return "current";
  return isOwn(text, form) ? "outdated" : "foreign";
}

function textFor(form: PermissionForm, program: Program): string {
  return form.text(program == null ? null : JSON.stringify(program).slice(1, -1));
}

/** Tells whether a text is, to the byte, what mementor writes for a program at any path. */
function isOwn(text: string, form: PermissionForm): boolean {
  if (text === form.text(null)) return true;
  const [before = "", after = ""] = form.text(PLACE).split(PLACE);
  const path = text.slice(before.length, text.length - after.length);
  return text === before + path + after && IN_QUOTES.test(path);
}

/** The file of an agent that gives it leave, before it is written. */
export interface PermissionFileWrite {
  name: string;
  file: string;
  isCurrent: boolean;
}

/** Lists the permission files that `grantPermission` writes for these agents, except files that are not mementor's. */
export function permissionFileWrites(
  targets: readonly AgentTarget[],
  { program }: { program?: Program },
): PermissionFileWrite[] {
  return targets.flatMap((target) => {
    const found = permissionFile(target, program);
    if (found === null || found.state === "foreign") return [];
    return { name: target.name, file: found.file, isCurrent: found.state === "current" };
  });
}

/** Writes the file that lets an agent run `mementor recall` without a question. Leaves one that is not mementor's. */
export function grantPermission(target: Target, program: Program): PermissionFileChange | null {
  const found = permissionFile(target, program);
  const form = FORMS[target.id];
  if (found === null || form === undefined) return null;
  const { file, state } = found;
  return { file, change: state === "foreign" ? state : writeOwnFile(file, textFor(form, program)) };
}

/** Deletes that file, and leaves one that is not mementor's. */
export function revokePermission(target: Target): PermissionFileChange | null {
  const found = permissionFile(target, null);
  if (found === null) return null;
  const { file, state } = found;
  return { file, change: state === "foreign" ? state : removeOwnFile(file) };
}

/** What `revokePermission` would do; null where it would do nothing. */
export function plannedWithdrawal(target: Target): PermissionFileChange | null {
  const found = permissionFile(target, null);
  if (found === null || found.state === "none") return null;
  return { file: found.file, change: found.state === "foreign" ? "foreign" : "removed" };
}

/**
 * Writes a file that belongs to mementor alone.
 *
 * @throws `io` when its directory cannot be made.
 */
export function writeOwnFile(file: string, wanted: string): SettingsChange {
  const current = readIfExists(file);
  if (current === wanted) return "unchanged";
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  } catch (error) {
    throw ioError(error, `make ${dirname(file)}`);
  }
  writeAtomic(file, wanted);
  return current === null ? "created" : "changed";
}

/** Deletes a file that belongs to mementor alone, and its directory if it is empty then. */
export function removeOwnFile(file: string): SettingsChange {
  if (readIfExists(file) === null) return "unchanged";
  rmSync(file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // The directory contains other files.
  }
  return "removed";
}

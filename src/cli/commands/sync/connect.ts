import { hostname } from "node:os";
import { resolve } from "node:path";
import { MementorError, toMementorError } from "../../../errors.ts";
import type { Input } from "../../../host.ts";
import { readIfExists } from "../../../io/read.ts";
import { userMemories } from "../../../project/memories.ts";
import { confirmName, isTrusted } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import { type FolderFiles, openFolder } from "../../../sync/folder/files.ts";
import { codeAtEnd, isStartOfCode, keyId, keyOfCode, newKey } from "../../../sync/folder/key.ts";
import {
  changeFolders,
  folderKeys,
  isRotated,
  listKeyTrees,
  otherTrees,
  readFolders,
  withKey,
} from "../../../sync/folder/settings.ts";
import { printable } from "../../../text/invisible.ts";
import { askName, declineFolder, isSettled, unnamedError } from "../../project-name.ts";
import { memoryFolder } from "../../sync/folder.ts";
import { memoryId } from "../../sync/team.ts";
import { canAsk, unlessInterrupted } from "../../terminal/ask.ts";
import { memoriesOf, printSynced, renderConnected, syncEach } from "./memories.ts";
import type { SyncAction, SyncOptions } from "./options.ts";

/** Lets memories sync through a folder: this project's, all, or those of projects that are enabled later. */
export const connect: SyncAction = async ({ target, options }, runtime) => {
  const { host, paths } = runtime;
  const directory = resolve(host.cwd, target);
  const files = await openFolder(directory);
  const { key, isNew } = await keyFor(directory, files, runtime, options);
  const isEnabled =
    runtime.memory.directory !== null &&
    isTrusted(paths, runtime.project.root) &&
    (await runtime.origin()) === "own";
  const joinsAll = options.allProjects || !isEnabled;
  const project = isEnabled ? await nameOf(runtime, options, joinsAll) : null;
  changeFolders(paths.configDir, options.device ?? hostname(), (before) => {
    const settings = withKey(before, directory, key);
    const { memories, left } = settings;
    const id = isEnabled ? memoryId(runtime) : "";
    return {
      ...settings,
      device: { ...settings.device, name: options.device ?? settings.device.name },
      memories: project === null ? memories : { ...memories, [id]: { directory, project } },
      every: joinsAll ? directory : settings.every,
      left: options.allProjects ? [] : left.filter((each) => each !== id),
    };
  });
  const unnamed = options.allProjects ? await askNames(runtime, options) : [];
  const all = await memoriesOf(directory, runtime);
  const wanted = options.allProjects ? all : all.filter((each) => each.project.root === runtime.project.root);
  const synced = await syncEach(wanted, { startsAnew: true });
  const connected = {
    ...{ directory, isNew, joinsAll, isEnabled, synced },
    unnamed: unnamed.filter(({ name }) => name === null).length,
    apart: unnamed.flatMap(({ root, name }) => (name === null ? [] : [{ root, name }])),
  };
  return printSynced(runtime, options, connected, renderConnected);
};

/** Returns the project's name for other devices, confirmed by the user; null if it stays out and others join. */
async function nameOf(runtime: Runtime, { as, yes }: SyncOptions, joinsAll: boolean): Promise<string | null> {
  const { root } = runtime.project;
  if (as !== undefined) {
    confirmName(runtime.paths, root, as);
    return as;
  }
  const answer = await askName(runtime, yes);
  if (isSettled(answer)) return answer.name;
  if (joinsAll) return null;
  throw unnamedError(answer, { option: "--as", whom: "on your other devices", everywhere: "on all devices" });
}

/** Asks for the name of each project. Returns the projects that stay out, with the names that their files claim. */
async function askNames(
  runtime: Runtime,
  { yes }: SyncOptions,
): Promise<{ root: string; name: string | null }[]> {
  const out: { root: string; name: string | null }[] = [];
  for (const { root } of userMemories(runtime.paths, runtime.host.uid).memories) {
    const of = runtime.renewed(root);
    if ((await of.origin()) !== "own" || (await memoryFolder(of)) !== null) continue;
    const answer = await askName(of, yes);
    if (answer.decision === "quit") break;
    if (answer.decision === "no") await declineFolder(of);
    if (!isSettled(answer)) out.push({ root, name: answer.name });
  }
  return out;
}

/** Returns the folder's key: from the user's code, the known one, or a new one for an empty folder. */
async function keyFor(
  directory: string,
  files: FolderFiles,
  runtime: Runtime,
  options: SyncOptions,
): Promise<{ key: Uint8Array; isNew: boolean }> {
  const trees = await listKeyTrees(files);
  const settings = readFolders(runtime.paths.configDir);
  const known = settings === null ? [] : folderKeys(settings, directory);
  const ids = known.map(keyId);
  const [present] = known;
  const isAsked =
    present === undefined
      ? trees.length > 0
      : (await isRotated(files, present)) || (await otherTrees(files, known)).length > 0;
  const typed = await codeFrom(runtime, options, { isAsked, hasKey: present !== undefined });
  if (typed === null) {
    if (present !== undefined) return { key: present, isNew: false };
    // Creates a key only for a folder without mementor files: a second key would split the devices.
    if (trees.length === 0) return { key: newKey(), isNew: true };
    throw missingCode();
  }
  const key = keyOfCode(typed);
  if (trees.includes(keyId(key)) || ids.includes(keyId(key))) return { key, isNew: false };
  throw new MementorError("folder_key", "The code does not belong to this folder.", {
    hint: "Print it on a device that syncs through the folder: mementor sync code. Has all of the folder arrived here?",
  });
}

/** Returns the user's code; null if none is needed or the user keeps the present key. */
async function codeFrom(
  { host }: Runtime,
  { keyFile }: SyncOptions,
  { isAsked, hasKey }: { isAsked: boolean; hasKey: boolean },
): Promise<string | null> {
  if (keyFile === "-") return codeIn(await typedCode(host), "Standard input");
  if (keyFile !== undefined) {
    const text = readIfExists(resolve(host.cwd, keyFile));
    if (text !== null) return codeIn(text, `The file ${printable(keyFile)}`);
    throw new MementorError("not_found", `There is no such file: ${keyFile}`);
  }
  if (!isAsked) return null;
  if (canAsk(host))
    host.stderr.write(
      hasKey
        ? "There are files with another key in the folder. Its code, or Enter to keep the present key: "
        : "Another device syncs through this folder. Its code: ",
    );
  const typed = await typedCode(host);
  if (typed !== "") return typed;
  if (hasKey) return null;
  throw missingCode();
}

/** Maximum bytes to read from a pipe, more than `sync code` prints. */
const MAX_PIPED = 10_000;

/**
 * Reads a code from standard input up to its last word, because people may paste it in several lines from a narrow terminal.
 * Stops at an empty line.
 */
async function typedCode(host: Runtime["host"]): Promise<string> {
  if (!host.stdin.isTerminal) return unlessInterrupted(host, pipedCode(host.stdin));
  let typed = "";
  do {
    const line = ((await unlessInterrupted(host, host.stdin.readLine())) ?? "").trim();
    if (line === "") break;
    typed = `${typed} ${line}`.trim();
  } while (isStartOfCode(typed));
  return typed;
}

/** Reads a code from a pipe, which may stay open after it. The pipe may also contain what `sync code` prints before the code. */
async function pipedCode(stdin: Input): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of stdin.chunks()) {
    size += chunk.byteLength;
    if (size > MAX_PIPED) return "";
    text += decoder.decode(chunk, { stream: true });
    if (isCode(codeAtEnd(text))) break;
  }
  return codeAtEnd(text).trim();
}

function isCode(text: string): boolean {
  try {
    keyOfCode(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the code at the end of a text, where `sync code` prints it. Throws `usage` if there is none. */
function codeIn(text: string, place: string): string {
  const code = codeAtEnd(text);
  try {
    keyOfCode(code);
    return code;
  } catch (error) {
    const problem = code === "" ? "It is empty." : toMementorError(error).message;
    throw new MementorError("usage", `${place} contains no folder code. ${problem}`, {
      hint: "Write it on a device that syncs through the folder: mementor sync code --print > FILE",
      cause: error,
    });
  }
}

function missingCode(): MementorError {
  return new MementorError(
    "folder_key",
    "Another device syncs through this folder, and its code is missing.",
    {
      hint: 'Print it there with "mementor sync code", then give it here: at a terminal, on standard input, or with --key-file.',
    },
  );
}

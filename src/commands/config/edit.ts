import { rmSync } from "node:fs";
import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";
import { EMPTY_CONFIG, problemsOf, textOf, write } from "../../project/config-file.ts";
import { renderProblem } from "../../render/config.ts";
import type { Runtime } from "../../runtime.ts";
import { runOnTerminal } from "../shared/on-terminal.ts";
import { fileToChange } from "./file.ts";

/**
 * Opens a copy of the settings in the user's editor. Replaces the file when the copy is valid; otherwise what was
 * written stays in the copy, and the next call continues with it.
 *
 * @throws `io` when the editor fails, `settings_invalid` when the copy is invalid or the file was changed in the
 *   meantime.
 */
export async function editSettings(runtime: Runtime, isForUser: boolean): Promise<number> {
  const { host } = runtime;
  const file = await fileToChange(runtime, isForUser);
  const editor = editorOf(host, file);
  const draft = `${file}.draft`;
  const before = textOf(file);
  const left = textOf(draft);
  if (left === null) write(draft, before ?? EMPTY_CONFIG);
  else host.stderr.write(`Continuing with what was left in ${draft}\n`);
  const exitCode = await open(editor, draft, host);
  if (exitCode !== 0) {
    const isUntouched = left === null && textOf(draft) === (before ?? EMPTY_CONFIG);
    throw editorFailed(exitCode, editor, draft, isUntouched);
  }
  const after = textOf(draft) ?? EMPTY_CONFIG;
  const problems = problemsOf(draft);
  if (problems.length > 0)
    throw new MementorError("settings_invalid", problems.map(renderProblem).join("\n"), {
      hint: 'Nothing was changed. To correct what you wrote, run "mementor config edit" again.',
    });
  if (textOf(file) !== before)
    throw new MementorError("settings_invalid", `${file} was changed in the meantime.`, {
      hint: `Nothing was changed. What you wrote is in ${draft}`,
    });
  const isChanged = after !== (before ?? EMPTY_CONFIG);
  if (isChanged) write(file, after);
  rmSync(draft, { force: true });
  host.stdout.write(isChanged ? `Wrote ${file}\n` : "Nothing was changed.\n");
  return 0;
}

function editorOf({ env }: Host, file: string): string {
  const editor = env.VISUAL || env.EDITOR;
  if (editor) return editor;
  throw new MementorError("usage", "No editor is set.", {
    hint: `Set EDITOR, or use "mementor config set", or edit this file: ${file}`,
  });
}

/** Returns the error for an editor that failed. A draft in which nothing was written does not stay. */
function editorFailed(exitCode: number, editor: string, draft: string, isUntouched: boolean): MementorError {
  if (isUntouched) rmSync(draft, { force: true });
  return new MementorError("io", `The editor ended with exit code ${exitCode}; nothing was changed.`, {
    hint: isUntouched
      ? `The editor is ${JSON.stringify(editor)}, from VISUAL or EDITOR.`
      : `What you wrote is in ${draft}`,
  });
}

/** Runs the editor on this terminal. Its command may have options: `code --wait`. */
function open(editor: string, file: string, { env, platform }: Host): Promise<number> {
  const words =
    platform === "win32"
      ? [...editor.split(" "), file]
      : ["/bin/sh", "-c", `${editor} "$1"`, "mementor", file];
  return runOnTerminal(words, { env: { ...env } });
}

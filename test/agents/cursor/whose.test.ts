import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cursor } from "../../../src/agents/cursor/agent.ts";
import { git } from "../../support/projects.ts";
import { sourcesOf, withHome } from "../sources.ts";
import { change, conversation, folderIn, globalIn, installEditor } from "./home.ts";

const WORKSPACES = ".config/Cursor/Workspaces/1760000000000";

/** Makes directories, repositories where they are called so, and a conversation of a window on a workspace file. */
async function windowOn(home: string, file: string, folder: string): Promise<void> {
  installEditor(home);
  for (const name of ["secret", "evil", "secret/vendor/evil"]) {
    mkdirSync(join(home, name), { recursive: true });
    await git(join(home, name), "init", "-q");
  }
  for (const path of ["plain/inner", "other", dirname(file)])
    mkdirSync(join(home, path), { recursive: true });
  writeFileSync(join(home, file), `{ "folders": [{ "path": ${JSON.stringify(folder)} }], /* mine */ }`);
  const identifier = { id: "w", configPath: { fsPath: join(home, file) } };
  change(globalIn(home), (database) =>
    database.run(
      "UPDATE cursorDiskKV SET value = json_set(value, '$.workspaceIdentifier', json(?)) WHERE key = ?",
      [JSON.stringify(identifier), `composerData:${conversation(1)}`],
    ),
  );
}

/** The directories whose project the conversation belongs to. */
async function ownersOf(home: string, directories: readonly string[]): Promise<string[]> {
  const owners: string[] = [];
  for (const directory of directories) {
    const sources = await sourcesOf(cursor, home, join(home, directory));
    if (sources.some((source) => basename(source) === conversation(1))) owners.push(directory);
  }
  return owners;
}

const PLACES = ["secret", "evil", "secret/vendor/evil", "plain", "plain/inner", "other"];

describe("a conversation of a window on a workspace file", () => {
  test.each([
    [
      "that a pull changed is of the repository in which it lies",
      "secret/s.code-workspace",
      "../evil",
      "secret",
    ],
    ["in a repository is not of one within it", "secret/s.code-workspace", "vendor/evil", "secret"],
    ["of a clone is not another project's", "evil/s.code-workspace", "../secret", "evil"],
    ["of an archive is not another project's", "plain/s.code-workspace", "../secret", "plain"],
    ["of the home is of the folder below it", "mine.code-workspace", "secret", "secret"],
    [
      "outside of every repository is of the folder below it",
      "plain/s.code-workspace",
      "inner",
      "plain/inner",
    ],
    [
      "that Cursor made itself is of its folder",
      `${WORKSPACES}/workspace.json`,
      "../../../../secret",
      "secret",
    ],
    [
      "that looks as if Cursor had made it is not",
      `evil/${WORKSPACES}/workspace.json`,
      "../../../../../secret",
      "evil",
    ],
  ])("%s", (_what, file, folder, owner) =>
    withHome(async (home) => {
      await windowOn(home, file, folder);
      expect(await ownersOf(home, PLACES)).toEqual([owner]);
    }),
  );

  test("is of the same project where its window's database names the file", () =>
    withHome(async (home) => {
      await windowOn(home, "secret/s.code-workspace", "../evil");
      const about = { workspace: `file://${join(home, "secret/s.code-workspace")}` };
      writeFileSync(join(dirname(folderIn(home)), "workspace.json"), JSON.stringify(about));
      change(globalIn(home), (database) =>
        database.run(
          "UPDATE cursorDiskKV SET value = json_set(value, '$.workspaceIdentifier', json(?)) WHERE key = ?",
          ['{"id":"f00dfeed"}', `composerData:${conversation(1)}`],
        ),
      );
      expect(await ownersOf(home, PLACES)).toEqual(["secret"]);
    }));
});

describe("a transcript whose folder's name fits", () => {
  /** Puts a transcript of `kettle-secret` into Cursor's directory, as its command line does. */
  function transcriptIn(home: string): void {
    const folder = join(home, "w/kettle-secret")
      .slice(1)
      .replace(/[^A-Za-z0-9]+/g, "-");
    const id = conversation(1);
    const directory = join(home, ".cursor/projects", folder, "agent-transcripts", id);
    mkdirSync(directory, { recursive: true });
    const record = { role: "user", message: { content: [{ type: "text", text: "The kettle's secret" }] } };
    writeFileSync(join(directory, `${id}.jsonl`), `${JSON.stringify(record)}\n`);
  }
  const found = async (home: string, directory: string) =>
    (await sourcesOf(cursor, home, join(home, directory))).length;

  test("two directories is of none of them, and of the one that is left", () =>
    withHome(async (home) => {
      for (const name of ["w/kettle-secret", "w/kettle/secret"])
        mkdirSync(join(home, name), { recursive: true });
      transcriptIn(home);
      expect([await found(home, "w/kettle/secret"), await found(home, "w/kettle-secret")]).toEqual([0, 0]);
      rmSync(join(home, "w/kettle"), { recursive: true });
      expect(await found(home, "w/kettle-secret")).toBe(1);
    }));

  test("a directory and a link to it is of that directory", () =>
    withHome(async (home) => {
      mkdirSync(join(home, "w/kettle-secret"), { recursive: true });
      mkdirSync(join(home, "w/kettle"));
      symlinkSync(join(home, "w/kettle-secret"), join(home, "w/kettle/secret"));
      transcriptIn(home);
      expect(await found(home, "w/kettle-secret")).toBe(1);
    }));
});

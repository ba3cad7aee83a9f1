import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { normalisedRemote, remoteUrl } from "../../../src/io/git/gitdir.ts";

test.each([
  ["git@github.com:ada/app.git", "github.com/ada/app"],
  ["ssh://git@github.com/ada/app.git", "github.com/ada/app"],
  ["ssh://git@GitHub.com:22/ada/app", "github.com/ada/app"],
  ["https://github.com/ada/app/", "github.com/ada/app"],
  ["https://ada:token@github.com/ada/app.git", "github.com/ada/app"],
  ["https://example.org:8443/ada/app", "example.org:8443/ada/app"],
  ["git://example.org//ada//app.git", "example.org/ada/app"],
  ["/srv/git/app.git", "/srv/git/app"],
  ["file:///srv/git/app.git", "/srv/git/app"],
  ["../app.git", "../app"],
  ["C:\\git\\app", "C:\\git\\app"],
])("%s is %s", (url, normalised) => {
  expect(normalisedRemote(url)).toBe(normalised);
});

test("two spellings of different places stay different", () => {
  const remotes = ["git@github.com:ada/app", "git@github.com:eve/app", "git@gitlab.com:ada/app"];
  expect(new Set(remotes.map(normalisedRemote)).size).toBe(3);
});

test("the remote named origin is read from the configuration, and no other", () => {
  using stack = new DisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "mementor-remote-"));
  stack.defer(() => rmSync(directory, { recursive: true }));
  const dotGit = join(directory, ".git");
  for (const name of ["objects", "refs"]) mkdirSync(join(dotGit, name), { recursive: true });
  writeFileSync(join(dotGit, "HEAD"), "ref: refs/heads/main\n");
  const config = (text: string) => writeFileSync(join(dotGit, "config"), text);
  config('[remote "upstream"]\n\turl = https://example.org/up/app\n');
  expect(remoteUrl(directory)).toBeNull();
  config(
    '[core]\n\tbare = false\n[remote "upstream"]\n\turl = https://example.org/up/app\n[remote "origin"]\n\tfetch = +refs/*\n\turl = git@example.org:ada/app.git\n',
  );
  expect(remoteUrl(directory)).toBe("example.org/ada/app");
});

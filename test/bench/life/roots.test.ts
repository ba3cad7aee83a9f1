import { expect, test } from "bun:test";
import { rewriterTo, rootsOfSessions } from "./roots.ts";

const session = (folder: string, cwds: string[]) => ({
  folder,
  rows: cwds.map((cwd) => ({ time: "", text: "", cwd, prompt: null, files: [] })),
});

test.each<[string, ReturnType<typeof session>[], string[]]>([
  ["the most common one", [session("x", ["/a/tide", "/a/tide", "/a/tide/src"])], ["/a/tide"]],
  [
    "the one that the folder is named after",
    [session("-b-tide", ["/a/tide", "/a/tide", "/b/tide"])],
    ["/a/tide", "/b/tide"],
  ],
  [
    "a worktree's project",
    [session("x", ["/a/tide-worktrees/blue"]), session("y", ["/b/.claude/worktrees/c/src"])],
    ["/a/tide", "/b"],
  ],
  ["not what lies in another", [session("x", ["/a/tide"]), session("y", ["/a/tide/web"])], ["/a/tide"]],
  ["a path of Windows", [session("D--tide", ["D:\\tide\\src", "D:\\tide"])], ["D:\\tide"]],
])("%s is a root", (_, sessions, roots) => {
  expect(rootsOfSessions(sessions)).toEqual(roots);
});

test.each([
  [["/a/tide"], "/a/tide/src/x.ts", "/p/src/x.ts"],
  [["/a/tide"], "cd /a/tide && ls", "cd /p && ls"],
  [["/a/tide"], "/a/tide-two/x.ts", "/a/tide-two/x.ts"],
  [["/a/tide"], "/a/tide-worktrees/blue/x.ts", "/p/x.ts"],
  [["/a/tide"], "/a/tide/.claude/worktrees/blue/x.ts", "/p/.claude/worktrees/blue/x.ts"],
  [["/a/tide", "/a/tide-two"], "/a/tide-two/x.ts", "/p/x.ts"],
  [["D:\\tide"], "see D:\\tide\\src\\x.ts\nD:\\other", "see /p/src/x.ts\nD:\\other"],
  [["D:\\tide"], "d:/tide/src and D:\\tide-two", "/p/src and D:\\tide-two"],
])("with the roots %p, %p becomes %p", (roots, text, rewritten) => {
  expect(JSON.parse(rewriterTo("/p", roots)(JSON.stringify(text)))).toBe(rewritten);
});

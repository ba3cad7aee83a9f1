import { expect, test } from "bun:test";
import { findKinship } from "../../src/project/repository.ts";

const of = (rootCommits: string[], remote: string | null) => ({ rootCommits, remote });

test.each([
  ["one history, no remotes", of(["a"], null), of(["a"], null), "same"],
  ["one history, one remote", of(["a"], "x"), of(["a"], "x"), "same"],
  ["one history, one of them without a remote", of(["a"], "x"), of(["a"], null), "same"],
  ["one of several first commits in common", of(["a", "b"], null), of(["b", "c"], null), "same"],
  ["one history, different remotes", of(["a"], "x"), of(["a"], "y"), "fork"],
  ["one remote, different histories", of(["a"], "x"), of(["b"], "x"), "unsure"],
  ["one remote, a history that is not known", of(["a"], "x"), of([], "x"), "unsure"],
  ["one remote, no commits", of([], "x"), of([], "x"), "unsure"],
  ["nothing known", of([], null), of([], null), null],
  ["histories that are not known, different remotes", of([], "x"), of([], "y"), null],
  ["nothing in common", of(["a"], "x"), of(["b"], "y"), null],
] as const)("%s", (_, a, b, expected) => {
  const [left, right] = [of([...a.rootCommits], a.remote), of([...b.rootCommits], b.remote)];
  expect(findKinship(left, right)).toBe(expected);
  expect(findKinship(right, left)).toBe(expected);
});

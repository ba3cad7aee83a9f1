import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { FIELDS, filterEntries, filtersBut, readFilter, type TypedFilter } from "../../src/store/filter.ts";

const context = { now: new Date("2026-03-04T12:00:00Z"), cwd: "/app/src", roots: () => ["/app"] };
const schema = v.strictObject(filterEntries(filtersBut()));

/** Reads what a command line or a tool gives. */
const read = (typed: Record<string, unknown>) => readFilter(v.parse(schema, typed), context);

const messagesOf = (typed: Record<string, unknown>) => {
  const parsed = v.safeParse(schema, typed);
  return parsed.success ? [] : parsed.issues.map(({ message }) => message);
};

const usageOf = (typed: TypedFilter) => {
  try {
    readFilter(typed, context);
  } catch (error) {
    return error;
  }
  return null;
};

describe("readFilter", () => {
  test("takes what a command line gives, in the form that the store compares", () => {
    expect(
      read({
        session: " 1b7c0a52 ",
        branch: "feat/store",
        since: "2026-03-04T10:00:00+02:00",
        until: "2026-03-04T23:00:00.5-01:00",
        role: "turn",
        from: "Codex",
        agent: "a1",
        pr: "#12",
        commit: "3F9D",
        author: "ada",
        human: true,
      }),
    ).toEqual({
      session: "1b7c0a52",
      branch: "feat/store",
      since: "2026-03-04T08:00:00.000Z",
      until: "2026-03-05T00:00:00.500Z",
      role: "turn",
      from: "codex",
      agent: "a1",
      pr: 12,
      commit: "3f9d",
      author: "ada",
      human: true,
    });
  });

  test("takes what a tool's client gives: numbers, and null for nothing", () => {
    expect(read({ pr: 12, branch: null, file: null, since: null, automated: false, commit: null })).toEqual({
      pr: 12,
    });
  });

  test("includes the whole day of until", () => {
    const day = new Date(2026, 2, 4);
    const last = new Date(new Date(2026, 2, 5).getTime() - 1);
    expect(read({ since: "2026-03-04", until: "2026-03-04" })).toEqual({
      since: day.toISOString(),
      until: last.toISOString(),
    });
  });

  test.each<[string, TypedFilter, object]>([
    ["a time that is none", { since: "soon" }, { code: "usage", message: 'Cannot read "soon" as a time.' }],
    [
      "a time that ends before it begins",
      { since: "2026-03-05", until: "2026-03-04T00:00:00Z" },
      { code: "usage", message: "--since 2026-03-05 is later than --until 2026-03-04T00:00:00Z." },
    ],
    [
      "both kinds of sessions",
      { human: true, automated: true },
      { code: "usage", message: "--human and --automated exclude each other." },
    ],
  ])("refuses %s", (_, typed, error) => {
    expect(usageOf(typed)).toMatchObject(error);
  });

  test("names arguments of a tool as its client wrote them", () => {
    expect(() => readFilter({ human: true, automated: true }, { ...context, isTool: true })).toThrow(
      '"human" and "automated" exclude each other.',
    );
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["three digits of a commit", { commit: "abc" }, "must be a commit's hash: 4 to 64 hexadecimal digits"],
    ["a commit that is no hash", { commit: "HEAD~1" }, "must be a commit's hash: 4 to 64 hexadecimal digits"],
    ["pull request 0", { pr: "0" }, "must be a whole number, at least 1"],
    ["a pull request in words", { pr: "twelve" }, "must be a whole number, at least 1"],
    ["a half pull request", { pr: 1.5 }, "must be a whole number, at least 1"],
    ["an unknown role", { role: "poet" }, "must be turn, compaction_summary or away_summary"],
    ["an empty branch", { branch: "  " }, "must not be empty"],
  ])("refuses %s", (_, typed, message) => {
    expect(messagesOf(typed)).toEqual([message]);
  });
});

test("filtersBut leaves out what a list names itself, and keeps the order of help", () => {
  const own = ["session", "pr"];
  expect<string[]>(filtersBut("session", "pr")).toEqual(
    Object.keys(FIELDS).filter((name) => !own.includes(name)),
  );
});

test("the short name of Claude Code is its id, as for enable --for", () => {
  const context = { now: new Date(0), cwd: "/", roots: () => [] };
  expect(readFilter({ from: "Claude" }, context)).toEqual({ from: "claude-code" });
});

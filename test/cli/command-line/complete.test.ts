import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { completeLine } from "../../../src/cli/command-line/complete.ts";
import { BUILT_IN_MODEL } from "../../../src/constants.ts";
import { batch, openStore, source, tempDir, turn } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

const SESSION = "aaaa1111-0000-4000-8000-000000000001";
const AT = "2026-06-01T10:00:00Z";

test("what a shell offers are the names that the memory knows, without what a shell might run", async () => {
  const directory = tempDir();
  const file = join(directory.path, "m.db");
  mkdirSync(join(directory.path, "kettle", ".git"), { recursive: true });
  const store = await openStore(file, { model: BUILT_IN_MODEL });
  const said = (index: number, branch: string) =>
    turn(index, "[User] Why does the\tvalve leak?\n\n[Assistant] The seal.", {
      ...{ sessionId: SESSION, createdAt: AT, branch },
      commits: index === 0 ? [{ hash: "0f".repeat(20), message: "Seal the valve" }] : [],
    });
  await store.ingest.write(
    batch([said(0, "feat/valve"), said(1, "$(reboot)")], {
      source: source({ path: "/k.jsonl", sessionId: SESSION }),
      sessions: [
        {
          ...{ sessionId: SESSION, client: "claude-code", projectDir: null, title: "The leak" },
          ...{ titleSource: null, firstPrompt: "Begin", automated: null, branch: "feat/valve" },
          ...{ startedAt: AT, endedAt: AT },
        },
      ],
    }),
  );
  await store.close();
  const place = { cwd: join(directory.path, "kettle"), homeDir: directory.path, now: new Date(AT) };
  const offered = async (...typed: string[]) =>
    (await runIn({ ...place, argv: ["complete", ...typed] })).stdout;
  expect({
    branches: await offered("recent", "--db", file, "--branch", ""),
    joined: await offered("--db", "~/m.db", "recent", "--branch="),
    said: await offered("show", "--db", file, "--context", "2", ""),
    commits: await offered("commits", "--db", file, ""),
    answers: await offered("told", "--db", file, ""),
  }).toEqual({
    branches: "feat/valve\t\n",
    joined: "--branch=feat/valve\t\n",
    said: "2\tWhy does the valve leak?\n1\tWhy does the valve leak?\naaaa1111\tThe leak\n:files\t\n",
    commits: "0f0f0f0f0f\tSeal the valve\n",
    answers: "",
  });
  // Where there is no memory, a key that was pressed says nothing.
  expect(await runIn({ ...place, argv: ["complete", "told", ""] })).toEqual({
    ...{ exitCode: 0, stdout: "", stderr: "" },
  });
});

/** Returns the words that begin as the last one that is typed. */
async function wordsFor(line: string): Promise<string[]> {
  const typed = line.split(" ");
  const offers = await completeLine(typed, () => Promise.reject(new Error("no memory is asked")));
  const words = offers.split("\n").map((offer) => offer.replace(/\t.*/, ""));
  return words.filter((word) => word !== "" && (word.startsWith(typed.at(-1) ?? "") || word.startsWith(":")));
}

test.each([
  ["sea", ["search"]],
  ["hel", ["help"]],
  ["--vers", ["--version"]],
  ["-C / sea", ["search"]],
  ["--project / --db x enab", ["enable"]],
  ["completions fi", ["fish"]],
  ["search --from cod", ["codex"]],
  ["import --from cod", []],
  ["search --mode keyw", ["keyword"]],
  ["search --mode=keyw", ["--mode=keyword"]],
  ["search --mode = ", ["hybrid", "keyword", "vector"]],
  ["search --mode =", []],
  ["search foo", []],
  ["search foo --expl", ["--explain"]],
  ["-C / search --expl", ["--explain"]],
  ["query --expl", ["--explain"]],
  ["search foo --ins", ["--insecure"]],
  ["recall foo --ins", []],
  ["recall foo --hel", ["--help"]],
  ["note 1 --to CL", ["CLAUDE.md"]],
  ["help pri", ["privacy"]],
  ["help sear", ["search"]],
  ["help search ", []],
  ["config ge", ["get"]],
  ["config get search.g", ["search.gate"]],
  ["config unset --user log.l", ["log.level"]],
  ["config set search.gate stri", ["strict"]],
  ["config set recall.file fal", ["false"]],
  ["config set search.k ", []],
  ["sync rot", ["rotate", ":directories"]],
  ["team share of", ["off"]],
  ["enable --for cod", ["codex"]],
  ["enable --scope l", ["local"]],
  ["recent --since yes", ["yesterday"]],
  ["recent --file x", [":files"]],
  ["recent -C x", [":directories"]],
  ["--project=x", [":directories"]],
  ["files x", [":files"]],
  ["ingest x y", [":files"]],
  ["model import x", [":files"]],
  ["model li", ["list"]],
  ["plugin install unin", []],
  ["commits --no-p", ["--no-pager"]],
])("mementor %s", async (line, words) => {
  expect(await wordsFor(line)).toEqual(words);
});

test("what a word means is said with it", async () => {
  const offers = async (...typed: string[]) =>
    (await completeLine(typed, () => Promise.reject(new Error("no memory is asked")))).split("\n");
  expect(await offers("doctor", "--f")).toContain("--fix\tRepair what can be repaired; nothing is deleted");
  expect(await offers("config", "")).toContain("unset\tRemove it from the file");
  expect(await offers("config", "get", "")).toContain("search.k\thow many turns a search returns");
  expect(await offers("help", "")).toContain("privacy\ta page of the documentation");
});

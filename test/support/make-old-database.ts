/**
 * `bun run make:database NAME [BINARY]` makes the database of a version and its answers in `fixtures/databases`, such as
 * `bun run make:database v1.0.0` before that release. BINARY is the one of this checkout unless an older one is named. Later
 * versions must open the database and still give its answers (`test/e2e/old-database.test.ts`).
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { freshBinary } from "./binary.ts";

const [name = "", given] = process.argv.slice(2);
if (!/^v\d/.test(name)) throw new Error("usage: bun run make:database v1.0.0 [BINARY]");
const binary = resolve(given ?? freshBinary());
const FIXTURES = join(import.meta.dir, "..", "..", "fixtures");
/** Paths are stored: these are nobody's. */
const HOME = "/home/dev";

const QUESTIONS: readonly (readonly string[])[] = [
  ["why do the payload digests fail"],
  ["which library reads the archive"],
  ["decided instead of rather than because"],
  ["test fails on CI only"],
  ["better-sqlite3 module was compiled against a different version"],
  ["how are duplicates found"],
  ["export to WARC"],
  ["thinking about the schema"],
  ["warcio check", "--branch", "feat/warc"],
  ["src/export/warc.ts"],
  ["commit on this branch"],
  ["migration", "--role", "turn"],
];

const run = (...args: string[]): string => {
  const { stdout, success, stderr } = Bun.spawnSync([binary, ...args], {
    env: { HOME, PATH: "/usr/bin:/bin" },
    cwd: HOME,
  });
  if (!success) throw new Error(stderr.toString());
  return stdout.toString();
};

const folder = join(HOME, ".claude", "projects");
const database = join(HOME, "mementor.db");
const isOurs = !existsSync(HOME);
mkdirSync(HOME, { recursive: true });
cpSync(join(FIXTURES, "transcripts", "sample", "projects"), folder, { recursive: true });
try {
  run("ingest", folder, "--db", database);
  const search = ["keyword", "hybrid"].flatMap((mode) =>
    QUESTIONS.map((words) => ["search", ...words, "-k", "3", "--mode", mode, "--json"]),
  );
  const shown = ["1", "9", "17", "30", "45", "62"].map((turn) => ["show", turn, "--json"]);
  const lists = [
    ["turns", "27c96b1d", "--json"],
    ["recent", "--json"],
    ["sessions", "--json"],
    ["commits", "--json"],
  ];
  const answers = [...search, ...shown, ...lists].map((args) => ({
    args,
    answer: JSON.parse(run(...args, "--db", database)),
  }));
  const target = join(FIXTURES, "databases", name);
  writeFileSync(`${target}.db.zst`, Bun.zstdCompressSync(await Bun.file(database).bytes(), { level: 19 }));
  await Bun.write(
    `${target}.answers.json`,
    `[\n${answers.map((answer) => JSON.stringify(answer)).join(",\n")}\n]\n`,
  );
} finally {
  for (const path of isOurs ? [HOME] : [folder, database]) rmSync(path, { recursive: true, force: true });
}

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * `bun test/support/try-archive.ts TARGET [WORD]...` unpacks an archive of `dist/release` in an empty HOME, then
 * enables, reads the sample, asks, calls the prompt hook and uninstalls. The words stand before the program: an
 * emulator. `--words-only` in front of TARGET leaves vectors out.
 */
const isWordsOnly = process.argv[2] === "--words-only";
const [target = "", ...prefix] = process.argv.slice(isWordsOnly ? 3 : 2);
const ROOT = resolve(import.meta.dir, "../..");
const SAMPLE = join(ROOT, "fixtures", "transcripts", "sample");
const QUESTION = "why did we choose SQLite with FTS5 for the bookmarks instead of LMDB?";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mementor-try-")));
const [home, project] = [join(root, "home"), join(root, "project")];
const isWindows = target.startsWith("windows");

try {
  await mkdir(home);
  await Bun.write(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  const archive = join(ROOT, "dist", "release", `mementor-${target}.${isWindows ? "zip" : "tar.gz"}`);
  // Windows' own tar reads zip archives.
  const unpack =
    isWindows && process.platform !== "win32"
      ? ["unzip", "-q", archive, "-d", root]
      : ["tar", "-xf", archive, "-C", root];
  run(unpack, "");
  const program = join(root, `mementor-${target}`, isWindows ? "mementor.exe" : "mementor");
  const mementor = (args: readonly string[], stdin = "") => run([...prefix, program, ...args], stdin);

  expectText(mementor(["--version"]), target);
  mementor(["enable", "--no-history"]);
  mementor(["ingest", SAMPLE, ...(isWordsOnly ? ["--text-only"] : [])]);
  expectText(
    mementor(["search", QUESTION, "-k", "1", ...(isWordsOnly ? ["--mode", "keyword"] : [])]),
    "FTS5",
  );
  const payload = { session_id: "try", cwd: project, prompt: `I wonder ${QUESTION}` };
  expectText(mementor(["hook", "user-prompt-submit"], JSON.stringify(payload)), "FTS5");
  mementor(["uninstall", "--purge", "--yes"]);
  const left = [...new Bun.Glob("**/*").scanSync({ cwd: home, dot: true })].filter(
    (path) => !path.includes("wine"),
  );
  if (left.length > 0) throw new Error(`uninstall left ${left.join(", ")}`);
  process.stdout.write(`${target} works.\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function run(command: string[], stdin: string): string {
  const { PATH = "", TEMP = root, SYSTEMROOT = "" } = process.env;
  const env = { HOME: home, USERPROFILE: home, PATH, TEMP, TMP: TEMP, SYSTEMROOT };
  const result = Bun.spawnSync(command, { cwd: project, env, stdin: Buffer.from(stdin) });
  const [stdout, stderr] = [result.stdout.toString(), result.stderr.toString()];
  process.stdout.write(`$ ${command.slice(prefix.length).join(" ")}\n${stdout}${stderr}`);
  if (result.exitCode !== 0) throw new Error(`exit code ${result.exitCode}`);
  return stdout;
}

function expectText(text: string, wanted: string): void {
  if (!text.includes(wanted)) throw new Error(`"${wanted}" is missing`);
}

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { outcomeOf } from "../support/outcome.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { makeProject } from "./project.ts";

let sandbox: Sandbox;
let project: string;
let database: string;

/** The newest turn is in the log of the database alone, as when its last writer was ended. */
beforeAll(async () => {
  sandbox = await Sandbox.create({ cacheDir: "copy" });
  project = await makeProject(sandbox, "mail", [
    ["Which queue do we use for mails?", "Postgres with SKIP LOCKED, no broker."],
  ]);
  database = join(sandbox.memoryOf(project), "mementor.db");
  using reader = new Database(database, { readwrite: true });
  reader.run("PRAGMA wal_autocheckpoint = 0");
  reader.query("SELECT count(*) FROM turns").get();
  await sandbox.run(["note", "The queue of mails is drained at night."], { cwd: project });
  for (const suffix of ["", "-wal"]) copyFileSync(database + suffix, `${database}${suffix}.kept`);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** What runs a command in a namespace of mounts of its own. */
const UNSHARE = ["unshare", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--mount"];
const BUBBLEWRAP = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-net"];

/** Ways to keep a command from writing, each with the words that stand before it, and what shows that the machine can. */
const CONFINED: [string, { words: () => string[]; trial: string[] }][] = [
  [
    "a home that is mounted read-only",
    { words: () => mounted(readOnly(sandbox.root)), trial: mounted("mount -t tmpfs none /mnt") },
  ],
  [
    "a full disk",
    { words: () => mounted(fullDisk(dirname(database))), trial: mounted("mount -t tmpfs none /mnt") },
  ],
  ["bubblewrap, without network", { words: () => BUBBLEWRAP, trial: BUBBLEWRAP }],
];

function mounted(script: string): string[] {
  return [...UNSHARE, "sh", "-c", `${script} && exec "$@"`, "sh"];
}

function readOnly(at: string): string {
  return `mount --bind '${at}' '${at}' && mount -o remount,bind,ro '${at}'`;
}

/** Puts what lies in a directory on a disk that has no room for anything else. */
function fullDisk(at: string): string {
  const fill = "dd if=/dev/zero of=/mnt/fill bs=4096 2>/dev/null";
  return `mount -t tmpfs -o size=16m none /mnt && cp -a '${at}/.' /mnt && { ${fill} || mount --bind /mnt '${at}'; }`;
}

/** Whether this machine lets a test confine a command in this way: a container often allows no mounts. */
function works(words: readonly string[]): boolean {
  return Bun.which(words[0] ?? "") !== null && Bun.spawnSync([...words, "true"]).exitCode === 0;
}

const PLACES: Record<string, () => void> = {
  "where the last writer closed": () => {
    using db = new Database(database, { readwrite: true });
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  },
  "where the newest is in the log alone": () => {
    for (const suffix of ["", "-wal"]) copyFileSync(`${database}${suffix}.kept`, database + suffix);
  },
};

describe.each(CONFINED)("with %s", (_, { words: confined, trial }) => {
  // Where a test cannot mount, test/store/anywhere.test.ts alone shows that a database is read.
  const can = works(trial);
  const ask = async (args: string[], extra: Record<string, string> = {}) => {
    const words = [...confined(), BINARY, ...args];
    const env = sandbox.env({ TMPDIR: join(sandbox.root, "none"), ...extra });
    const run = Bun.spawn(words, { cwd: project, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    return outcomeOf(run);
  };

  describe.each(Object.entries(PLACES))("%s", (_place, put) => {
    test.skipIf(!can)("recall, search and show answer, and nothing is written", async () => {
      rmSync(`${database}-shm`, { force: true });
      put();
      rmSync(`${database}-shm`, { force: true });
      const before = filesOf(dirname(database));
      for (const args of [
        ["recall", "queue of mails"],
        ["search", "queue of mails"],
      ]) {
        const { stdout, stderr, exitCode } = await ask(args);
        expect({ args, stderr, exitCode }).toEqual({ args, stderr: "", exitCode: 0 });
        expect(stdout).toContain("SKIP LOCKED");
        expect(stdout).toContain("drained at night");
      }
      expect(await ask(["show", "2"])).toMatchObject({ stdout: expect.stringContaining("drained at night") });
      expect(filesOf(dirname(database))).toEqual(before);
    });

    test.skipIf(!can)("where the model is not unpacked, recall answers by words, and says so", async () => {
      put();
      rmSync(`${database}-shm`, { force: true });
      const cold = { XDG_CACHE_HOME: join(sandbox.root, "none") };
      const { stdout, exitCode } = await ask(["recall", "queue of mails"], cold);
      expect(exitCode).toBe(0);
      expect(stdout).toContain("drained at night");
      expect(stdout).toContain("Searched by words only: ");
    });

    test.skipIf(!can || trial === BUBBLEWRAP)(
      "where the cache was copied, search makes the model in the place for what is temporary, and recall uses it",
      async () => {
        put();
        rmSync(`${database}-shm`, { force: true });
        const copied = join(sandbox.root, "copied");
        rmSync(copied, { recursive: true, force: true });
        cpSync(join(sandbox.home, ".cache"), copied, { recursive: true });
        const temporary = mkdtempSync(join(tmpdir(), "mementor-temporary-"));
        const places = { XDG_CACHE_HOME: copied, TMPDIR: temporary };
        expect((await ask(["search", "queue of mails"], places)).stderr).not.toContain("words alone");
        const { stdout, exitCode } = await ask(["recall", "queue of mails"], places);
        rmSync(temporary, { recursive: true });
        expect(exitCode).toBe(0);
        expect(stdout).toContain("drained at night");
        expect(stdout).not.toContain("Searched by words alone");
      },
    );

    test.skipIf(!can)("so does the MCP server", async () => {
      put();
      rmSync(`${database}-shm`, { force: true });
      const [command = "", ...args] = [...confined(), BINARY, "mcp"];
      const client = new Client({ name: "test", version: "1" });
      await client.connect(
        new StdioClientTransport({ command, args, cwd: project, env: sandbox.env(), stderr: "ignore" }),
      );
      const found = await client.callTool({ name: "search", arguments: { query: "queue of mails" } });
      await client.close();
      expect(JSON.stringify(found)).toContain("drained at night");
    });
  });
});

function filesOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [path, `${statSync(path).mtimeMs} ${Bun.hash(readFileSync(path))}`]),
  );
}

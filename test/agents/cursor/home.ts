import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installFolder } from "../contract.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agents/cursor");
const USER = ".config/Cursor/User";
export const PROJECT = "/home/dev/glasshouse";

/** An id of a conversation of the fixture. */
export function conversation(number: number): string {
  const digits = String(number);
  return `c0150000-${digits.padStart(4, "0")}-4000-8000-${digits.padStart(12, "0")}`;
}

/** The editor's database of all windows. */
export function globalIn(home: string): string {
  return join(home, USER, "globalStorage/state.vscdb");
}

/** The editor's database of the window of the project. */
export function folderIn(home: string): string {
  return join(home, USER, "workspaceStorage/f00dfeed/state.vscdb");
}

/** The database of a session of the command line. */
export function storeIn(home: string): string {
  return join(home, ".cursor/chats", md5(PROJECT), conversation(7), "store.db");
}

/** Puts the databases of the editor into a home directory. */
export function installEditor(home: string): void {
  create(globalIn(home), (database) => database.run(readFileSync(join(FIXTURES, "global.sql"), "utf8")));
  create(folderIn(home), (database) => database.run(readFileSync(join(FIXTURES, "folder.sql"), "utf8")));
  writeFileSync(
    join(dirname(folderIn(home)), "workspace.json"),
    JSON.stringify({ folder: `file://${PROJECT}` }),
  );
}

/** Puts the sessions and transcripts of the command line into a home directory; `count` messages of the session. */
export function installCommandLine(home: string, count?: number): void {
  installFolder(join(FIXTURES, "home"))(home);
  const { about, cwd, messages, id } = JSON.parse(readFileSync(join(FIXTURES, "store.json"), "utf8"));
  create(storeIn(home), (database) => {
    database.run("CREATE TABLE IF NOT EXISTS blobs (id TEXT PRIMARY KEY, data BLOB)");
    database.run("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)");
    const put = (data: Buffer) => {
      const name = sha256(data);
      database.run("INSERT OR REPLACE INTO blobs VALUES (?, ?)", [name, data]);
      return name;
    };
    const names = messages
      .slice(0, count)
      .map((message: object) => put(Buffer.from(JSON.stringify(message))));
    const root = Buffer.concat([
      ...names.map((name: string) => field(1, Buffer.from(name, "hex"))),
      field(9, Buffer.from(cwd)),
    ]);
    const described = JSON.stringify({ agentId: id, latestRootBlobId: put(root), ...about });
    database.run("INSERT OR REPLACE INTO meta VALUES ('0', ?)", [Buffer.from(described).toString("hex")]);
  });
}

export function installCursor(home: string): void {
  installEditor(home);
  installCommandLine(home);
}

/** Changes a database as Cursor would. */
export function change(file: string, work: (database: Database) => void): void {
  const database = new Database(file);
  try {
    work(database);
  } finally {
    database.close();
  }
}

function create(file: string, work: (database: Database) => void): void {
  mkdirSync(dirname(file), { recursive: true });
  change(file, work);
}

/** A field of Protocol Buffers with fewer than 128 bytes. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

function sha256(data: Buffer): string {
  return new Bun.CryptoHasher("sha256").update(data).digest("hex");
}

function md5(text: string): string {
  return new Bun.CryptoHasher("md5").update(text).digest("hex");
}

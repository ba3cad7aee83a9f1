import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { SQL } from "bun";
import { startProxy } from "../support/postgres/proxy.ts";
import { type Backup, type Control, startRealServer } from "../support/postgres/real-server.ts";
import { startTeam } from "../support/postgres/team.ts";
import { someWay } from "../support/wait.ts";
import { type HeldTurn, MemberFiles } from "./simulation/memory.ts";
import { seeded } from "./simulation/seeded.ts";

export interface SimulationOptions {
  members: number;
  /** How long members work before all is synced, s. */
  seconds: number;
  /** The longest pause between two actions of a member, ms. */
  paceMs: number;
  seed: number;
}

/** What happened, and what is wrong at the end: `problems` is empty when every member holds what it must. */
export interface Outcome {
  problems: string[];
  figures: Record<string, number>;
}

const PASSWORD = "of a member";
/** Between two kills, ms: at least the one, and up to the other more. */
const SHORTEST_MS = 200;
const LONGEST_MS = 800;

/**
 * Members push and pull at once on a real server, each a process with a memory of its own, while processes are killed,
 * connections are cut, the server is restarted and restored, and a member's memory is restored. Then all sync, and what
 * each member holds is compared. Returns a sentence where there is no server for it.
 */
export async function simulate(options: SimulationOptions): Promise<Outcome | string> {
  const server = await startRealServer({ max_connections: String(options.members * 2 + 50) });
  if (typeof server === "string") return server;
  await using team = await startTeam(server);
  await using proxy = await startProxy(server.port);
  const directory = mkdtempSync(join(tmpdir(), "mementor-simulation-"));
  const members: Member[] = [];
  try {
    const authors = Array.from({ length: options.members }, (_, i) => `member_${i}`);
    const project = await team.addProject("shop", authors);
    for (const [i, author] of authors.entries()) {
      await team.admin.unsafe(`ALTER ROLE ${author} PASSWORD '${PASSWORD}'`);
      const direct = server.urlOf(author, PASSWORD);
      const url = i % 2 === 0 ? direct : proxy.urlOf(direct);
      members.push(
        new Member(directory, author, { url, project, paceMs: options.paceMs, seed: options.seed + i }),
      );
    }
    const chaos = new Chaos(members, { server: server.control, cut: () => proxy.cut(), ...options });
    await chaos.run();
    const rounds = await settle(members);
    return await judge(members, chaos, { admin: team.admin, project, rounds });
  } finally {
    await Promise.all(members.map((member) => member.kill()));
    rmSync(directory, { recursive: true, force: true });
  }
}

class Member {
  readonly files: MemberFiles;
  /** Its memory was replaced by an earlier one: what it took back since may be unknown to it. */
  isRestored = false;
  readonly #args: readonly string[];
  #process: Bun.Subprocess | null = null;
  #starts = 0;
  readonly #seed: number;
  readonly #pace: string;

  constructor(
    directory: string,
    author: string,
    { url, project, paceMs, seed }: { url: string; project: number; paceMs: number; seed: number },
  ) {
    this.files = new MemberFiles(directory, author);
    this.#args = [directory, author, url, String(project)];
    this.#seed = seed;
    this.#pace = String(paceMs);
  }

  work(): void {
    this.#process = this.#spawn("work", "ignore");
  }

  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
    this.#process = null;
  }

  /** Syncs until nothing changes; returns whether anything did. */
  async settle(): Promise<boolean> {
    const child = this.#spawn("settle", "pipe");
    this.#process = child;
    const output = await new Response(child.stdout as ReadableStream).text();
    if ((await child.exited) !== 0) throw new Error(`${this.files.author} cannot sync`);
    return JSON.parse(output).changes > 0;
  }

  #spawn(mode: string, stdout: "ignore" | "pipe"): Bun.Subprocess {
    const program = join(import.meta.dir, "simulation", "member.ts");
    const seed = String(this.#seed * 1000 + this.#starts++);
    return Bun.spawn([process.execPath, program, mode, ...this.#args, seed, this.#pace], {
      stdio: ["ignore", stdout, mode === "settle" ? "inherit" : Bun.file(`${this.files.errors}.stderr`)],
    });
  }
}

interface Surroundings extends SimulationOptions {
  /** Null for a server that was named: it is neither stopped nor restored. */
  server: Control | null;
  cut: () => void;
}

/** What goes wrong while members work. */
class Chaos {
  readonly figures = {
    kills: 0,
    cuts: 0,
    "restarts of the server": 0,
    "restored servers": 0,
    "restored members": 0,
  };
  readonly #members: readonly Member[];
  readonly #with: Surroundings;
  readonly #random: () => number;
  #backup: Backup | null = null;

  constructor(members: readonly Member[], surroundings: Surroundings) {
    this.#members = members;
    this.#with = surroundings;
    this.#random = seeded(surroundings.seed);
  }

  async run(): Promise<void> {
    const { seconds } = this.#with;
    for (const member of this.#members) member.work();
    const rounds = Math.ceil((seconds * 1000) / (SHORTEST_MS + LONGEST_MS / 2));
    // At these shares of the time, once each.
    const events: (readonly [number, () => Promise<void>])[] = [
      [0.25, () => this.#copyMember()],
      [0.3, () => this.#backUpServer()],
      [0.45, () => this.#restart("immediate")],
      [0.55, () => this.#restoreMember()],
      [0.6, () => this.#restart("fast")],
      [0.75, () => this.#restoreServer()],
    ];
    for (let round = 0; round < rounds; round++) {
      const share = round / rounds;
      while ((events[0]?.[0] ?? 1) <= share) await events.shift()?.[1]();
      await this.#killOne();
      if (this.#random() < 0.3) {
        this.#with.cut();
        this.figures.cuts++;
      }
      await someWay(SHORTEST_MS + LONGEST_MS * this.#random());
    }
    for (const [, event] of events) await event();
    await Promise.all(this.#members.map((member) => member.kill()));
  }

  async #killOne(): Promise<void> {
    const member = this.#members[Math.floor(this.#random() * this.#members.length)];
    await member?.kill();
    member?.work();
    this.figures.kills++;
  }

  async #restart(how: "fast" | "immediate"): Promise<void> {
    const { server } = this.#with;
    if (server === null) return;
    await server.halt(how);
    await server.start();
    this.figures["restarts of the server"]++;
  }

  /** The member whose memory is lost, and where an earlier copy of it lies. */
  get #lost(): { member: Member; earlier: string } {
    const [member] = this.#members;
    if (member === undefined) throw new Error("a simulation needs members");
    return { member, earlier: `${member.files.database}.earlier` };
  }

  async #copyMember(): Promise<void> {
    const { member, earlier } = this.#lost;
    await member.kill();
    member.files.copyTo(earlier);
    member.work();
  }

  async #restoreMember(): Promise<void> {
    const { member, earlier } = this.#lost;
    await member.kill();
    member.files.restoreFrom(earlier);
    member.isRestored = true;
    member.work();
    this.figures["restored members"]++;
  }

  async #backUpServer(): Promise<void> {
    this.#backup = (await this.#with.server?.backUp()) ?? null;
  }

  async #restoreServer(): Promise<void> {
    if (this.#backup === null) return;
    await this.#with.server?.restore(this.#backup);
    this.figures["restored servers"]++;
  }
}

/** Lets all members sync until nobody has anything new; returns how many rounds that took. */
async function settle(members: readonly Member[]): Promise<number> {
  for (let round = 1; round <= 12; round++) {
    let hasChanged = false;
    const waiting = [...members];
    const next = async (): Promise<void> => {
      const member = waiting.shift();
      if (member === undefined) return;
      if (await member.settle()) hasChanged = true;
      return next();
    };
    await Promise.all(cpus().map(next));
    if (!hasChanged) return round;
  }
  throw new Error("members do not come to an end with syncing");
}

async function judge(
  members: readonly Member[],
  chaos: Chaos,
  { admin, project, rounds }: { admin: SQL; project: number; rounds: number },
): Promise<Outcome> {
  const problems: string[] = [];
  const server: { name: string; text: string }[] = await admin.unsafe(
    `SELECT author || '/' || prompt_uuid AS name, full_text AS text FROM mementor.turns WHERE project_id = $1 ORDER BY 1`,
    [project],
  );
  const expected = new Map(server.map(({ name, text }) => [name, text]));
  if (expected.size !== server.length) problems.push("the server has a turn twice");
  const held = new Map(members.map((member) => [member, member.files.turns()]));
  const chunks = new Map<string, string>();
  for (const [member, turns] of held) problems.push(...compare(member, turns, expected, chunks));
  const written = members.flatMap(({ files }) =>
    [...files.lines()].map(([id, text]) => ({ files, id, text })),
  );
  const removals = members.flatMap(({ files, isRestored }) =>
    files.removals().map((removal) => ({ ...removal, author: files.author, isRestored })),
  );
  const touched = new Set(removals.map(({ author, id }) => `${author}/${id}`));
  for (const { files, id, text } of written) {
    const name = `${files.author}/${id}`;
    if (!touched.has(name) && !expected.get(name)?.endsWith(text)) problems.push(`${name} was lost`);
  }
  const gone = removals.filter(({ state, isRestored }) => state === "done" && !isRestored);
  for (const { author, id } of gone)
    if (expected.has(`${author}/${id}`)) problems.push(`${author}/${id} was unshared and is there`);
  problems.push(...remains(members, gone));
  // What the author took back, and perhaps does not know any more, explains most differences.
  for (const { author, id, how, state } of removals)
    if (problems.some((problem) => problem.includes(id))) problems.push(`${author}/${id}: ${how}, ${state}`);
  const errors = members.flatMap(({ files }) => files.problems());
  problems.push(...errors.slice(0, 5));
  const figures = {
    members: members.length,
    "turns written": written.length,
    "turns in the team at the end": expected.size,
    "turns in all memories": [...held.values()].reduce((sum, turns) => sum + turns.length, 0),
    "turns unshared or forgotten": gone.length,
    ...chaos.figures,
    "rounds of syncs until nothing was new": rounds,
  };
  return { problems, figures };
}

/** What is wrong in one memory: missing, other, more, twice, or chunks that another memory has otherwise. */
function compare(
  { files }: Member,
  turns: readonly HeldTurn[],
  expected: ReadonlyMap<string, string>,
  chunks: Map<string, string>,
): string[] {
  const problems: string[] = [];
  const shared = turns.filter(
    (turn) => turn.author !== files.author || (turn.isShared && expected.has(nameOf(turn))),
  );
  const names = new Set(shared.map(nameOf));
  if (names.size !== shared.length) problems.push(`${files.author} has a turn twice`);
  for (const turn of shared) {
    const name = nameOf(turn);
    if (expected.get(name) !== turn.text)
      problems.push(`${files.author} has another ${name}, or one too many`);
    if (chunks.has(name) && chunks.get(name) !== turn.chunks)
      problems.push(`${files.author} has other chunks of ${name}`);
    chunks.set(name, turn.chunks);
  }
  for (const name of expected.keys()) if (!names.has(name)) problems.push(`${files.author} lacks ${name}`);
  return problems;
}

/** Texts of removed turns that are still in files of memories: everybody's but their author's, who may keep what was unshared. */
function remains(
  members: readonly Member[],
  gone: readonly { id: string; author: string; how: "unshare" | "forget" }[],
): string[] {
  return members.flatMap(({ files }) => {
    files.settle();
    const bytes = readFileSync(files.database);
    return gone
      .filter(({ author, how }) => author !== files.author || how === "forget")
      .filter(({ id }) => bytes.includes(`tea of ${id}`))
      .map(({ id }) => `the file of ${files.author} still has the text of ${id}`);
  });
}

function nameOf({ author, id }: HeldTurn): string {
  return `${author}/${id}`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      members: { type: "string", default: "50" },
      minutes: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
    },
  });
  const outcome = await simulate({
    members: Number(values.members),
    seconds: Number(values.minutes) * 60,
    paceMs: 5_000,
    seed: Number(values.seed),
  });
  if (typeof outcome === "string") {
    process.stdout.write(`skip  the simulation of a team: ${outcome}\n`);
    process.exit(0);
  }
  for (const [what, n] of Object.entries(outcome.figures))
    process.stdout.write(`${String(n).padStart(8)}  ${what}\n`);
  process.stdout.write(`${String(outcome.problems.length).padStart(8)}  problems\n`);
  for (const problem of outcome.problems.slice(0, 20)) process.stdout.write(`          ${problem}\n`);
  process.exit(outcome.problems.length === 0 ? 0 : 1);
}

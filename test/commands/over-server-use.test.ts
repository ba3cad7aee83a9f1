import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadCommand } from "../../src/cli/commands.ts";
import { parse } from "../../src/cli/parse.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { openMemory } from "../../src/mcp/memory.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { Runtime } from "../../src/runtime.ts";
import type { ReadStore } from "../../src/store/contract/store.ts";
import { tempDir } from "../store/builders.ts";
import { createHashEmbedder } from "../support/hash-embedder.ts";
import { hostIn } from "../support/host.ts";
import { startTeam } from "../support/postgres/team.ts";
import { fillBoth } from "../support/sample-memory.ts";

const SESSION = "1b7c0a52";

/** What reads all that a team's database can be asked. */
const COMMANDS = [
  ["search", "why sqlite for bookmarks in src/db/schema.ts, #4 and 3f9d2c1", "--json"],
  ["show", "1", "--context", "2"],
  ["show", SESSION],
  ["recent"],
  ["recent", "--author", "nobody"],
  ["recent", "--branch", "none"],
  ["sessions"],
  ["files"],
  ["files", "src/db/schema.ts"],
  ["commits"],
  ["prs"],
  ["related", "src/db/schema.ts"],
  ["stats"],
  ["report", "--html", "-"],
  ["export"],
];

/** A memory on this machine that notes what of a team's database is asked. */
class Watched extends Runtime {
  readonly asked = new Set<string>();

  override async openTeam(request: Parameters<Runtime["openTeam"]>[0]) {
    const reading = await super.openTeam(request);
    return { ...reading, store: watched(reading.store, this.asked) };
  }

  override async openEmbedder(): Promise<Embedder> {
    return createHashEmbedder();
  }

  override renewed(): Runtime {
    return this;
  }
}

/** A store that notes the methods that are called, as `browse.sessions`. */
function watched(store: ReadStore, asked: Set<string>): ReadStore {
  const part = <Part extends object>(name: string, given: Part): Part =>
    new Proxy(given, {
      get(target, method) {
        const called: unknown = Reflect.get(target, method);
        if (typeof called !== "function") return called;
        return (...args: unknown[]) => {
          asked.add(`${name}.${String(method)}`);
          if (method !== "snapshot") return Reflect.apply(called, target, args);
          const [work] = args as [(view: object) => unknown];
          return Reflect.apply(called, target, [(view: object) => work(part(name, view))]);
        };
      },
    });
  return {
    ...store,
    browse: part("browse", store.browse),
    search: part("search", store.search),
    exports: part("exports", store.exports),
    models: part("models", store.models),
  };
}

/** The methods of the parts of a store that is read, as the contract says. */
async function methodsOf(part: string, name: string, file: string): Promise<string[]> {
  const source = await Bun.file(join(import.meta.dir, "../../src/store/contract", file)).text();
  const [, body = ""] =
    source.match(new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, "m")) ?? [];
  return [...body.matchAll(/^ {2}(\w+)(?:<\w+>)?\(/gm)].map(([, method]) => `${part}.${method}`);
}

test("commands and tools ask a team's database all that it can be asked", async () => {
  using directory = tempDir();
  const project = join(directory.path, "tidemark");
  mkdirSync(join(project, ".git"), { recursive: true });
  await using team = await startTeam();
  await fillBoth(join(directory.path, "memory.db"), team, "tidemark", "ada");
  const servers = { team: { servers: [team.urlOf("ada")] } };
  await Bun.write(join(directory.path, ".config/mementor/config.json"), JSON.stringify(servers));
  // What has no vector yet is found by its words alone, and measured apart.
  await team.admin.unsafe("DELETE FROM mementor.chunk_vectors WHERE chunk_id % 2 = 0");
  const now = new Date("2026-11-22T12:00:00Z");
  const asked = new Set<string>();
  const runtimeOf = (argv: readonly string[]) => {
    const { host } = hostIn({ argv, cwd: project, homeDir: directory.path, now });
    const runtime = new Watched(host, { databaseUrl: team.urlOf("ada") });
    return runtime;
  };
  for (const argv of COMMANDS) {
    const command = await loadCommand(argv[0] ?? "");
    if (command === null) throw new Error(`there is no command ${argv[0]}`);
    const runtime = runtimeOf(argv);
    await command.run(parse(argv, command), runtime, { commands: async () => [] }).catch(() => null);
    for (const method of runtime.asked) asked.add(method);
  }
  const runtime = runtimeOf([]);
  const memory = openMemory(runtime, project);
  for (const tool of TOOLS.filter(({ writes }) => !writes))
    await tool
      .call(tool.name === "file_history" ? { path: "src/db/schema.ts" } : { query: "x" }, memory)
      .catch(() => null);
  for (const method of runtime.asked) asked.add(method);
  const contract = await Promise.all([
    methodsOf("browse", "BrowseStore", "browse.ts"),
    methodsOf("search", "SearchStore", "search.ts"),
    methodsOf("exports", "ExportStore", "export.ts"),
    methodsOf("models", "ActiveModelStore", "models.ts"),
  ]);
  expect([...asked].sort()).toEqual(contract.flat().sort());
});

import { expect, test } from "bun:test";
import { join } from "node:path";

const SRC = join(import.meta.dir, "..", "..", "src");
const STORE = join(SRC, "store");

interface Interface {
  name: string;
  methods: string[];
}

/** The interfaces of a source by which the program asks a database. */
function interfacesOf(source: string): Interface[] {
  return [
    ...source.matchAll(
      /^(?:export )?interface (\w+(?:Store|Server|File))(?: extends [\w, ]+)? \{\n([\s\S]*?)^\}/gm,
    ),
  ]
    .map(([, name = "", body = ""]) => ({
      name,
      methods: [...body.matchAll(/^ {2}(\w+)(?:<\w+>)?\(/gm)].map(([, method = ""]) => method),
    }))
    .filter(({ methods }) => methods.length > 0);
}

/** What the program calls the values of an interface, and in which folders or files; everywhere where none is named. */
type Callers = Readonly<Record<string, readonly string[]>>;

const ANYWHERE = [""];

/** Several interfaces have a method of one name: where their values have one name too, each has its own folders. */
const CALLERS: Readonly<Record<string, Callers>> = {
  BrowseStore: { browse: ANYWHERE },
  LocalBrowseStore: { browse: ANYWHERE },
  SearchStore: { search: ANYWHERE, store: ["recall/"] },
  LocalSearchStore: { search: ANYWHERE, store: ["recall/"], touched: ["recall/"] },
  FolderStore: { folder: ["cli/"], store: ["sync/folder/"] },
  ExportStore: { exports: ANYWHERE },
  ActiveModelStore: { models: ANYWHERE },
  ModelStore: { models: ANYWHERE },
  IngestStore: { ingest: ANYWHERE, store: ["ingest/"] },
  JournalStore: { journal: ANYWHERE },
  RecallStore: { recall: ANYWHERE },
  MarkStore: { marks: ANYWHERE },
  ForgetStore: { forget: ANYWHERE },
  SecretStore: { secrets: ANYWHERE },
  StatusStore: { status: ANYWHERE },
  TeamStore: { team: ["cli/"], store: ["sync/team/"] },
  WordStore: { words: ANYWHERE },
  TeamServer: { server: ["sync/team/sync.ts", "cli/sync/team.ts"] },
  DatabaseFile: { file: ANYWHERE },
  ReadStore: { store: ANYWHERE },
  SqliteStore: { store: ANYWHERE, memory: ANYWHERE },
};

async function textsOf(pattern: string, folder: string): Promise<Map<string, string>> {
  const paths = await Array.fromAsync(new Bun.Glob(pattern).scan(folder));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await Bun.file(join(folder, path)).text()] as const)),
  );
}

async function contractOf(): Promise<Interface[]> {
  return [
    ...(await textsOf("*.ts", STORE)).values(),
    await Bun.file(join(STORE, "sqlite/sqlite.ts")).text(),
    await Bun.file(join(STORE, "sqlite/forget/compact.ts")).text(),
  ].flatMap(interfacesOf);
}

/** The program without the store, by path below `src`. */
async function programOf(): Promise<Map<string, string>> {
  const texts = await textsOf("**/*.ts", SRC);
  return new Map(texts.entries().filter(([path]) => !path.startsWith("store/")));
}

/** Whether the program calls a method of an interface. */
function isCalled(method: string, callers: Callers, program: ReadonlyMap<string, string>): boolean {
  return Object.entries(callers).some(([value, places]) => {
    const call = new RegExp(`\\b${value}\\s*\\??\\.\\s*${method}\\(`);
    return program
      .entries()
      .some(([path, source]) => places.some((place) => path.startsWith(place)) && call.test(source));
  });
}

function unusedMethods(contract: readonly Interface[], program: ReadonlyMap<string, string>): string[] {
  return contract.flatMap(({ name, methods }) =>
    methods
      .filter((method) => !isCalled(method, CALLERS[name] ?? {}, program))
      .map((method) => `${name}.${method}`),
  );
}

test("a command, a hook or a sync calls every method of the store", async () => {
  const contract = await contractOf();
  expect(contract.map(({ name }) => name).sort()).toEqual(Object.keys(CALLERS).sort());
  expect(unusedMethods(contract, await programOf())).toEqual([]);
});

test("a method has a caller of its own, also where another interface has one of the same name", async () => {
  const names = ["apply", "fates", "outgoing", "renew"];
  const contract = (await contractOf()).map(({ name, methods }) => ({
    name,
    methods: methods.filter((method) => names.includes(method)),
  }));
  const program = await programOf();
  const without = (file: string) =>
    unusedMethods(contract, new Map(program.entries().filter(([path]) => path !== file)));
  expect(without("sync/folder/pull.ts")).toEqual(["FolderStore.apply"]);
  expect(without("sync/folder/push.ts")).toEqual(["FolderStore.outgoing"]);
  expect(without("sync/folder/sync.ts")).toEqual(["FolderStore.renew"]);
  expect(without("sync/team/settings.ts")).toEqual(["TeamStore.fates"]);
  expect(without("sync/team/sync.ts")).toEqual(["TeamStore.renew", "TeamStore.outgoing", "TeamStore.apply"]);
});

import { expect, test } from "bun:test";
import { join } from "node:path";

const SRC = join(import.meta.dir, "..", "..", "src");
const STORE = join(SRC, "store");

interface Interface {
  name: string;
  methods: string[];
}

/** The interfaces of a source that have methods. */
function interfacesOf(source: string): Interface[] {
  return [...source.matchAll(/^export interface (\w+)(?: extends [\w, ]+)? \{\n([\s\S]*?)^\}/gm)]
    .map(([, name = "", body = ""]) => ({
      name,
      methods: [...body.matchAll(/^ {2}(\w+)(?:<\w+>)?\(/gm)].map(([, method = ""]) => method),
    }))
    .filter(({ methods }) => methods.length > 0);
}

/** What the program calls the values of an interface. */
const CALLED: Readonly<Record<string, string>> = {
  BrowseStore: "browse",
  LocalBrowseStore: "browse",
  SearchStore: "search|store|view",
  LocalSearchStore: "search|store|touched",
  FolderStore: "folder|store",
  ExportStore: "exports",
  ActiveModelStore: "models",
  ModelStore: "models|store",
  IngestStore: "ingest|store",
  JournalStore: "journal",
  RecallStore: "recall",
  MarkStore: "marks",
  ForgetStore: "forget",
  SecretStore: "secrets",
  StatusStore: "status",
  TeamStore: "team|store",
  WordStore: "words",
  TeamServer: "server",
  DatabaseFile: "file",
  ReadStore: "store",
  SqliteStore: "store|memory",
};

async function textsOf(pattern: string, folder: string): Promise<Map<string, string>> {
  const paths = await Array.fromAsync(new Bun.Glob(pattern).scan(folder));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await Bun.file(join(folder, path)).text()] as const)),
  );
}

test("a command, a hook or a sync calls every method of the store", async () => {
  const contract = [
    ...(await textsOf("contract/*.ts", STORE)).values(),
    await Bun.file(join(STORE, "sqlite/sqlite.ts")).text(),
    await Bun.file(join(STORE, "sqlite/file/database-file.ts")).text(),
  ].flatMap(interfacesOf);
  expect(contract.map(({ name }) => name).sort()).toEqual(Object.keys(CALLED).sort());
  const program = (await textsOf("**/*.ts", SRC)).entries().filter(([path]) => !path.startsWith("store/"));
  const sources = [...program].map(([, source]) => source);
  const unused = contract.flatMap(({ name, methods }) =>
    methods
      .filter((method) => {
        const call = new RegExp(`\\b(?:${CALLED[name]})\\s*\\??\\.\\s*${method}\\(`);
        return !sources.some((source) => call.test(source));
      })
      .map((method) => `${name}.${method}`),
  );
  expect(unused).toEqual([]);
});

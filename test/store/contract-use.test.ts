import { expect, test } from "bun:test";
import { join } from "node:path";

const SRC = join(import.meta.dir, "..", "..", "src");

/** The methods of the contract, each with the property of `Store` that it is a method of. */
function methodsOf(contract: string): { property: string; method: string }[] {
  const properties = new Map(
    [...contract.matchAll(/^ {2}readonly (\w+): (\w+Store);/gm)].map(([, property, type]) => [
      type,
      property,
    ]),
  );
  return [...contract.matchAll(/^export interface (\w+Store) \{\n([\s\S]*?)^\}/gm)].flatMap(
    ([, type, body = ""]) =>
      [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, method = ""]) => ({
        property: properties.get(type) ?? "",
        method,
      })),
  );
}

/** Whether a source calls a method: on its part of the store, or on a value that is called "store" or "database". */
function calls(source: string, { property, method }: { property: string; method: string }): boolean {
  return new RegExp(`\\b(?:${property}|store|database)\\s*\\.\\s*${method}\\(`).test(source);
}

test("the program calls every method of the store's contract", async () => {
  const files = await Array.fromAsync(new Bun.Glob("contract/*.ts").scan(join(SRC, "store")));
  const contract = await Promise.all(files.map((file) => Bun.file(join(SRC, "store", file)).text()));
  const methods = methodsOf(contract.join("\n"));
  expect(methods.length).toBeGreaterThan(70);
  const sources = await Promise.all(
    (await Array.fromAsync(new Bun.Glob("**/*.ts").scan(SRC)))
      .filter((path) => !path.startsWith("store/"))
      .map((path) => Bun.file(join(SRC, path)).text()),
  );
  const unused = methods.filter((each) => !sources.some((source) => calls(source, each)));
  expect(unused).toEqual([]);
});

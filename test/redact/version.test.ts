import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES_VERSION } from "../../src/redact/version.ts";

/** The version of the rules, and a digest of the files that hold them. Change both when a rule changes, the digest alone when only
 * the code does: compare what both find in a large text then. */
const KNOWN = [24, "081615910594ad09"];

const RULES = join(import.meta.dir, "..", "..", "src", "redact");

/** Comments and layout change no rule. */
function digest(): string {
  const transpiler = new Bun.Transpiler({ loader: "ts", minifyWhitespace: true });
  const files = readdirSync(RULES).filter((name) => name !== "version.ts");
  const code = files.sort().map((name) => {
    const text = readFileSync(join(RULES, name), "utf8");
    return name.endsWith(".txt") ? text.replace(/^#.*\n|^\n/gm, "") : transpiler.transformSync(text);
  });
  return new Bun.CryptoHasher("sha256").update(code.join("\n")).digest("hex").slice(0, 16);
}

test("whoever changes a rule raises the version, so that memories are looked through again", () => {
  expect([RULES_VERSION, digest()]).toEqual(KNOWN);
});

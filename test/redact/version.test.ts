import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const RULES = join(import.meta.dir, "..", "..", "src", "redact");
const VERSION = "version.ts";

/** Comments and layout change no rule. */
function digest(): string {
  const transpiler = new Bun.Transpiler({ loader: "ts", minifyWhitespace: true });
  const files = readdirSync(RULES).filter((name) => name !== VERSION);
  const code = files.sort().map((name) => {
    const text = readFileSync(join(RULES, name), "utf8");
    return name.endsWith(".txt") ? text.replace(/^#.*\n|^\n/gm, "") : transpiler.transformSync(text);
  });
  return new Bun.CryptoHasher("sha256").update(code.join("\n")).digest("hex").slice(0, 16);
}

test("whoever changes a rule raises the version, so that memories are looked through again", () => {
  expect(readFileSync(join(RULES, VERSION), "utf8")).toContain(`@digest ${digest()}\n`);
});

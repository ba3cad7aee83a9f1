import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { tempDir } from "../store/builders.ts";

const ARCHIVE = join(import.meta.dir, "../../src/embed/models/archive.ts");

test("an archive whose file has a size below zero is refused", async () => {
  using dir = tempDir();
  const header = Buffer.alloc(512);
  header.write("model/config.json", 0);
  header.write("-0000001000", 124);
  header.write("0", 156);
  const file = join(dir.path, "model.tar.gz");
  writeFileSync(file, gzipSync(Buffer.concat([header, Buffer.alloc(1024)])));
  // In a process of its own, since what reads in a circle never ends.
  const code = `const { openModelArchive } = await import(${JSON.stringify(ARCHIVE)});
    await openModelArchive(${JSON.stringify(file)}).then(({ name }) => console.log(name), ({ code }) => console.log(code));`;
  const child = Bun.spawn([process.execPath, "-e", code], { timeout: 4_000, killSignal: "SIGKILL" });
  expect([await child.stdout.text(), await child.exited]).toEqual(["model_invalid\n", 0]);
});

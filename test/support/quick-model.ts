import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { derivedFile } from "../../src/assets/derived.ts";
import { BGE_SMALL } from "../../src/embed/embedder.ts";
import { convertModel } from "../../src/embed/native/ort-model.ts";
import { loadBinding } from "../../src/embed/native/session.ts";
import { meanModel } from "./onnx.ts";

/** Rows of the table; tokens whose ids are equal modulo this share one. */
const ROWS = 2_048;

/**
 * Puts a model of one look-up table in place of the built-in one's file for this machine, where a binary has unpacked it: texts
 * that share words are near each other, and one takes a thousandth of the work.
 *
 * @param home the directory with the unpacked files.
 */
export async function putQuickModel(home: string): Promise<void> {
  const [record = "", ...others] = readdirSync(home).filter((name) => name.endsWith(".made"));
  if (record === "" || others.length > 0) throw new Error(`${home} holds not one model`);
  for (const name of readdirSync(home)) if (name.startsWith(`${BGE_SMALL.id}-`)) rmSync(join(home, name));
  const make = async (path: string) => {
    const rows = Array.from({ length: ROWS }, (_, row) => rowOf(row));
    convertModel(loadBinding(join(home, "onnxruntime_binding.node")), meanModel(rows), path);
  };
  const places = { uid: process.getuid?.() ?? null, mayUnpack: true };
  await derivedFile(home, record.replace(/\.made$/, ""), make, places);
}

function rowOf(row: number): Float32Array {
  return Float32Array.from(
    { length: BGE_SMALL.dimensions },
    (_, i) => Bun.hash.xxHash32(`${row}/${i}`) / 2 ** 31 - 1,
  );
}

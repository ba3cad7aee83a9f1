import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";

const SCHEMAS = join(import.meta.dir, "..", "..", "fixtures", "schemas");
const ajv = new Ajv2020({ allErrors: true, formats: { "date-time": true } });

/** Returns what is wrong with a value by `fixtures/schemas/<name>.schema.json`; empty for a value that fits. */
export function schemaProblems(name: string, value: unknown): unknown[] {
  const file = join(SCHEMAS, `${name}.schema.json`);
  const fits = ajv.getSchema(name) ?? ajv.compile({ ...JSON.parse(readFileSync(file, "utf8")), $id: name });
  return fits(value) ? [] : (fits.errors ?? []);
}

import type { Output } from "../../host.ts";
import { renderResult } from "../json.ts";

/** Prints the result of a command, as JSON or as text. Returns the exit code of success. */
export function printResult(stdout: Output, json: boolean, result: unknown, text: () => string): number {
  stdout.write(json ? renderResult(result) : text());
  return 0;
}

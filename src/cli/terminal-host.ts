import type { Host, Output } from "../host.ts";
import { fitToWidth } from "../text/fit.ts";
import { isolated } from "../text/isolate.ts";
import { isUtf8 } from "../text/locale.ts";

/**
 * Returns the same process, whose output fits the width of its terminal: every text for people is written through it. What
 * is written from right to left is isolated. Only
 * the terminal itself breaks lines that are written whole, and gives them back unbroken to who copies them.
 */
export function terminalHost(host: Host): Host {
  const mark = isUtf8(host.env) ? "…" : "...";
  return { ...host, stdout: fitting(host.stdout, mark), stderr: fitting(host.stderr, mark) };
}

function fitting(output: Output, mark: string): Output {
  return {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    write(text, form) {
      const { columns } = output;
      const isAsItIs = columns === null || form === "whole";
      output.write(isAsItIs ? text : isolated(fitToWidth(text, columns, mark)), form);
    },
  };
}

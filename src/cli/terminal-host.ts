import { changing, type Host, type Output } from "../host.ts";
import { fitToWidth } from "../text/fit.ts";
import { isolated } from "../text/isolate.ts";
import { isUtf8 } from "../text/locale.ts";

/**
 * Returns the same process, whose output fits the width of its terminal: every text for people is written through it. What
 * is written from right to left is isolated. Lines that are written whole are broken by the terminal alone, so that whoever
 * copies them gets them unbroken.
 */
export function terminalHost(host: Host): Host {
  const mark = isUtf8(host.env) ? "…" : "...";
  return { ...host, stdout: fitting(host.stdout, mark), stderr: fitting(host.stderr, mark) };
}

function fitting(output: Output, mark: string): Output {
  return changing(output, (text, form) => {
    const { columns } = output;
    const isAsItIs = columns === null || form === "whole";
    return isAsItIs ? text : isolated(fitToWidth(text, columns, mark));
  });
}

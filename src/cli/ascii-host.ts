import type { Host, Output } from "../host.ts";
import { toAscii } from "../text/ascii.ts";

/** Returns the same process, whose output is in ASCII: for a locale without UTF-8. */
export function asciiHost(host: Host): Host {
  return { ...host, stdout: asciiOutput(host.stdout), stderr: asciiOutput(host.stderr) };
}

function asciiOutput(output: Output): Output {
  return {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    write(text, form) {
      output.write(toAscii(text), form);
    },
  };
}

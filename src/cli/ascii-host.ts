import { changing, type Host, type Output } from "../host.ts";
import { toAscii } from "../text/ascii.ts";

/** Returns the same process, whose terminal gets ASCII: for a locale without UTF-8. In a pipe no character is lost. */
export function asciiHost(host: Host): Host {
  return { ...host, stdout: readable(host.stdout), stderr: readable(host.stderr) };
}

function readable(output: Output): Output {
  return output.isTerminal ? changing(output, toAscii) : output;
}

import { changing, type Host } from "../host.ts";
import { toAscii } from "../text/ascii.ts";

/** Returns the same process, whose output is in ASCII: for a locale without UTF-8. */
export function asciiHost(host: Host): Host {
  return { ...host, stdout: changing(host.stdout, toAscii), stderr: changing(host.stderr, toAscii) };
}

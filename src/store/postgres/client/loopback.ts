import { lookup } from "node:dns/promises";
import { isIPv4, isIPv6 } from "node:net";

/** Gives the addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Asks the system for the addresses of a host name; none when it has none. */
async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/**
 * Tells whether what is sent to a host stays on this machine: a directory of a socket, 127.0.0.0/8, ::1, and
 * `localhost` where it means only those. Every other name counts as remote, whatever it resolves to at this moment.
 */
export async function isLoopback(host: string, resolve: Resolve = systemAddresses): Promise<boolean> {
  if (host.startsWith("/")) return true;
  if (host.toLowerCase() !== "localhost") return isLoopbackAddress(host);
  const addresses = await resolve(host);
  return addresses.length > 0 && addresses.every(isLoopbackAddress);
}

function isLoopbackAddress(address: string): boolean {
  return (
    (isIPv4(address) && address.startsWith("127.")) || (isIPv6(address) && /^(?:0*:)*:?0*1$/.test(address))
  );
}

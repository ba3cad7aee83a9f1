import { MementorError } from "../errors.ts";
import { nameOf, parseTarget } from "../store/postgres/client/target.ts";
import { readAdminServer } from "./admin-server.ts";
import { joinedServers } from "./settings.ts";

/** The places where a user names servers. */
export interface KnownServers {
  configDir: string;
  /** The setting `team.servers`: hosts, hosts with ports, or URLs. */
  servers: readonly string[];
}

/**
 * Throws `usage` for the URL of a server that the user neither joined nor named: whoever can suggest a command line
 * could otherwise let any server ask for the user's passwords. Variables do not count, since a repository can set them
 * for an agent.
 */
export function requireKnownServer(url: string, { configDir, servers }: KnownServers): void {
  const target = parseTarget(url);
  const admin = readAdminServer(configDir)?.url;
  const urls = [...joinedServers(configDir), ...(admin === undefined ? [] : [admin])];
  const known = [...urls.map(placeIn), ...servers.map(placeIn)];
  if (known.includes(placeOf(target))) return;
  throw new MementorError("usage", `You have neither joined nor named this server: ${nameOf(target)}`, {
    hint: `To name it as yours: mementor config set --user team.servers ${placeOf(target)}`,
  });
}

const DEFAULT_PORT = 5432;

/** One spelling of the place in a URL, or in `host`, `host:port`. */
function placeIn(text: string): string {
  if (/^postgres(?:ql)?:/i.test(text)) return placeOf(parseTarget(text));
  const [, host = "", port = DEFAULT_PORT] = /^(.*?)(?::(\d+))?$/s.exec(text.trim()) ?? [];
  return placeOf({ host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) });
}

function placeOf({ host, port }: { host: string; port: number }): string {
  const name = host.includes(":")
    ? `[${host.toLowerCase()}]`
    : host.startsWith("/")
      ? host
      : host.toLowerCase();
  return `${name}:${port}`;
}

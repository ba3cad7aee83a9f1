import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { asObject } from "../../io/json.ts";
import { readIfExists } from "../../io/read.ts";
import type { IsOwn } from "../settings/settings-hooks.ts";

/** A hook in one of Codex's `hooks.json`, and how Codex identifies it. */
export interface CodexHook {
  /** `<file>:<event>:<group>:<handler>`. Changes when a group is inserted before the hook's. */
  key: string;
  /** The hash that Codex stores when the hook is trusted. */
  hash: string;
}

/** Returns the file in which Codex records trusted hooks. */
export function codexConfigFile(hooksFile: string): string {
  return join(dirname(hooksFile), "config.toml");
}

/** Lists mementor's hooks in a `hooks.json` as Codex sees them. Empty when the file cannot be read. */
export function codexHooks(file: string, isOwn: IsOwn): CodexHook[] {
  const events = asObject(asObject(parse(readIfExists(file) ?? "{}"))?.hooks) ?? {};
  return Object.entries(events).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, groupIndex) => {
      const { hooks, matcher } = asObject(group) ?? {};
      return (Array.isArray(hooks) ? hooks : []).flatMap((hook: unknown, index) => {
        const { command, timeout } = asObject(hook) ?? {};
        if (typeof command !== "string" || !isOwn(command)) return [];
        const name = event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
        const key = `${file}:${name}:${groupIndex}:${index}`;
        return { key, hash: hashOf(name, matcher, command, timeout) };
      });
    }),
  );
}

/** Returns Codex's hash of a hook: SHA-256 of its definition as JSON with sorted keys and defaults. */
function hashOf(event: string, matcher: unknown, command: string, timeout: unknown): string {
  const hooks = [
    { async: false, command, timeout: typeof timeout === "number" ? timeout : 600, type: "command" },
  ];
  const identity = { event_name: event, hooks, ...(typeof matcher === "string" && { matcher }) };
  return `sha256:${new Bun.CryptoHasher("sha256").update(JSON.stringify(identity)).digest("hex")}`;
}

/** Returns the hooks that Codex would skip without a message. */
export function untrustedHooks(hooks: readonly CodexHook[], config: string | null): CodexHook[] {
  const trusted = trustedHashes(config ?? "");
  return hooks.filter(({ key, hash }) => trusted.get(key) !== hash);
}

/** A table in `config.toml` that marks a hook as trusted, as Codex writes it. */
const TABLE = /^\[hooks\.state\."((?:[^"\\]|\\.)+)"\][ \t]*\r?\n(?:[ \t]*\r?\n)*(?:(?!\[).*\r?\n?)*/gm;
const HASH = /^[ \t]*trusted_hash[ \t]*=[ \t]*"([^"]*)"/m;

function trustedHashes(config: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [table, key = ""] of config.matchAll(TABLE)) {
    const hash = HASH.exec(table)?.[1];
    if (hash !== undefined) found.set(unescaped(key), hash);
  }
  return found;
}

function unescaped(key: string): string {
  return key.replace(/\\(.)/g, "$1");
}

/** Adds trust entries for these hooks to the text of a `config.toml`; null if its form does not allow that. */
export function withTrust(config: string, hooks: readonly CodexHook[]): string | null {
  const others = withoutTrust(config, new Set(hooks.map(({ key }) => key)));
  const gap = others === "" || others.endsWith("\n") ? "" : "\n";
  const tables = hooks.map(
    ({ key, hash }) => `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hash}"\n`,
  );
  const trusted = `${others}${gap}${tables.join("")}`;
  try {
    Bun.TOML.parse(trusted);
    return trusted;
  } catch {
    return null;
  }
}

/** Removes the entries of these keys from the text of a `config.toml`. Changes nothing else. */
export function withoutTrust(config: string, keys: ReadonlySet<string>): string {
  const kept = config.replace(TABLE, (table, key: string) => (keys.has(unescaped(key)) ? "" : table));
  if (kept === config) return config;
  // The parent table was created for the entries, unless it has other content.
  const isParentBare = !/^\[hooks\.state\."/m.test(kept);
  const parent = isParentBare
    ? kept.replace(/^\[hooks\.state\][ \t]*\r?\n(?:[ \t]*\r?\n)*(?=\[|$(?![\s\S]))/m, "")
    : kept;
  return parent.replace(/(?<![ \t\r\n])(?:[ \t]*\r?\n){2,}$/, "\n");
}

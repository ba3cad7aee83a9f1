import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { getCACertificates } from "node:tls";
import { MementorError } from "../../../errors.ts";
import { nameOf, type Target } from "./target.ts";

/** What `Bun.SQL` gets as `tls`. */
export type Encryption = false | { rejectUnauthorized: boolean; ca?: string[]; serverName?: string };

export interface EncryptionOptions {
  /** Whether what is sent stays on this machine. */
  readonly isLoopback: boolean;
  /** The user asked for less than verified TLS beyond loopback. */
  readonly isInsecure: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Decides how a connection is encrypted. Beyond loopback that is TLS with a verified certificate and host name, even where
 * the URL asks for less: `Bun.SQL` by itself takes any certificate for `require`, and plain text without `sslmode`.
 * Throws `server_untrusted` for `sslmode=disable`, and `config_invalid` for certificates that cannot be read.
 */
export async function encryptionFor(target: Target, options: EncryptionOptions): Promise<Encryption> {
  const { isLoopback, isInsecure } = options;
  const mode = target.sslMode;
  if (isLoopback && (mode === null || mode === "disable" || mode === "allow" || mode === "prefer"))
    return false;
  if (mode === "disable") {
    if (isInsecure) return false;
    throw new MementorError(
      "server_untrusted",
      `sslmode=disable would send everything in plain text to ${nameOf(target)}`,
      {
        hint: "Take sslmode out of the URL. Only in a network that you trust wholly: add --insecure.",
      },
    );
  }
  if (isInsecure || (isLoopback && mode === "require")) return { rejectUnauthorized: false };
  const serverName =
    isIP(target.host) === 0 && !target.host.startsWith("/") ? { serverName: target.host } : {};
  return { rejectUnauthorized: true, ca: await certificates(target, options.env), ...serverName };
}

/** Certificates to trust: those of the named file and no others; without one, those of Bun and of the system. */
async function certificates(target: Target, env: EncryptionOptions["env"]): Promise<string[]> {
  const path = target.sslRootCert ?? env.PGSSLROOTCERT;
  if (path === undefined || path === "" || path === "system")
    return [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new MementorError("config_invalid", `the certificates of sslrootcert cannot be read: ${path}`, {
      hint: "Check the path in the URL's sslrootcert or in PGSSLROOTCERT.",
      cause,
    });
  });
  const found = text.match(/-----BEGIN CERTIFICATE-----(?:(?!-----BEGIN)[\s\S])+?-----END CERTIFICATE-----/g);
  if (found !== null) return found;
  throw new MementorError("config_invalid", `there is no certificate in ${path}`, {
    hint: "sslrootcert names a PEM file with the certificate of the authority.",
  });
}

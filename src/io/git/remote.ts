import { join } from "node:path";
import { UNTRUSTED } from "../untrusted.ts";
import { locateGit, readQuietly } from "./gitdir.ts";

/**
 * Returns where a repository was cloned from, in a form in which the usual spellings of one place are equal:
 * `github.com/ada/app` for `git@github.com:ada/app.git` and `https://ada@github.com/ada/app`. Null without a remote
 * named `origin`. Reads files, without running git.
 */
export function remoteOf(directory: string): string | null {
  const commonDir = locateGit(directory)?.commonDir;
  const text = commonDir === undefined ? null : readQuietly(join(commonDir, "config"), UNTRUSTED.fileBytes);
  const section = /^[ \t]*\[remote[ \t]+"origin"\]([^[]*)/im.exec(text ?? "")?.[1] ?? "";
  const url = /^[ \t]*url[ \t]*=(.*)$/im
    .exec(section)?.[1]
    ?.trim()
    .replace(/^"(.*)"$/, "$1");
  return url ? normalisedRemote(url) : null;
}

/** Returns one spelling of a remote's address: no scheme, user, password, default port or `.git`; the host in lower case. */
export function normalisedRemote(url: string): string {
  const bare = url
    .trim()
    .replace(/(?<![/\\])[/\\]+$/, "")
    .replace(/\.git$/i, "");
  const [, host, path] =
    /^[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?([^/]+)\/(.*)$/is.exec(bare) ??
    /^(?:[^/@:]+@)?([^/:]{2,}):(?!\/\/)(.*)$/s.exec(bare) ??
    [];
  if (host === undefined || path === undefined) return bare.replace(/^file:\/\//i, "");
  return `${host.toLowerCase().replace(/:(?:22|80|443|9418)$/, "")}/${path.replace(/^\/+/, "").replace(/\/{2,}/g, "/")}`;
}

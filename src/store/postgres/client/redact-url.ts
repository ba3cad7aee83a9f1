/** Takes the password and the parameters out of every URL of a PostgreSQL server in a text: for messages and logs. */
export function redactUrl(text: string): string {
  return text.replace(URLS, (_, scheme: string, rest: string) => {
    const at = rest.lastIndexOf("@");
    const login = rest.slice(0, Math.max(at, 0));
    const user = login.replace(/[:/?#].*$/s, "");
    // Such a `?` may be of a password, or of parameters that hold one: no telling what stands behind.
    const place = /[?#]/.test(login) ? "…" : (PLACE.exec(rest.slice(at + 1))?.[0] ?? "");
    return `${scheme}${at < 0 ? "" : `${user}@`}${place}`;
  });
}

/** A password may hold any character but spaces and quotes, even `/`, `?` and `@` that nobody encoded. */
const URLS = /\b(postgres(?:ql)?:\/\/)([^\s"'`<>]+)/gi;

/** Host, port and database. What stands for a port but is no number may be a password. */
const PLACE = /^(?:\[[^\]]*\]|[^:/?#]*)(?::\d*(?=[/?#]|$))?(?:\/[^?#]*)?/;

/** Whether the locale of an environment has UTF-8. Windows has no such variables, and shows Unicode. */
export function isUtf8(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => (value ?? "") !== "");
  return locale === undefined ? env.OS === "Windows_NT" : /utf-?8/i.test(locale);
}

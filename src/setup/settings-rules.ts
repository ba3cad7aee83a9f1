import type { Node } from "jsonc-parser";
import { appendChild, dropEmpty, invalid, parseJson, removeChild, valueAt } from "./json-edit.ts";

/** Empty objects and lists that were there before mementor's rules, so that they are kept. */
export interface KeptRules {
  permissions: boolean;
  allow: boolean;
}

/** Returns which empty objects and lists of a text must stay. */
export function keptRulesOf(text: string, file: string): KeptRules {
  const permissions = valueAt(parseJson(text, file), "permissions");
  return { permissions: permissions !== undefined, allow: valueAt(permissions, "allow") !== undefined };
}

/** Lists the rules of a kind in Claude Code's settings. Throws `settings_invalid` for settings of another form. */
export function rulesIn(text: string, kind: "allow" | "ask" | "deny", file: string): string[] {
  const list = listIn(text, kind, file);
  return (list?.children ?? []).flatMap(({ value }: { value?: unknown }) =>
    typeof value === "string" ? [value] : [],
  );
}

/** Adds the rules that are not there to those that allow something, and keeps every other byte. */
export function addRules(text: string, rules: readonly string[], file: string): string {
  const there = rulesIn(text, "allow", file);
  return rules
    .filter((rule) => !there.includes(rule))
    .reduce((edited, rule) => {
      const root = parseJson(edited, file);
      const permissions = valueAt(root, "permissions");
      const allow = valueAt(permissions, "allow");
      if (allow !== undefined) return appendChild(edited, allow, null, rule);
      if (permissions !== undefined) return appendChild(edited, permissions, "allow", [rule]);
      return appendChild(edited, root, "permissions", { allow: [rule] });
    }, text);
}

/** Removes rules, each once, and objects and lists that become empty, except `kept`. */
export function removeRules(
  text: string,
  rules: readonly string[],
  file: string,
  kept: KeptRules = { permissions: false, allow: false },
): string {
  const without = rules.reduce((edited, rule) => {
    const node = listIn(edited, "allow", file)?.children?.findLast(({ value }) => value === rule);
    return node === undefined ? edited : removeChild(edited, node);
  }, text);
  if (without === text) return text;
  const withoutList = dropEmpty(without, ["permissions", "allow"], kept.allow, file);
  return dropEmpty(withoutList, ["permissions"], kept.permissions, file);
}

function listIn(text: string, kind: string, file: string): Node | undefined {
  const permissions = valueAt(parseJson(text, file), "permissions");
  if (permissions !== undefined && permissions.type !== "object")
    throw invalid(file, '"permissions" is not an object');
  const list = valueAt(permissions, kind);
  if (list !== undefined && list.type !== "array") throw invalid(file, `"permissions.${kind}" is not a list`);
  return list;
}

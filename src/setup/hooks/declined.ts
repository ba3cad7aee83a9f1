import { readRegistry, updateRegistry } from "../../project/registry.ts";

/** Returns the ids that the user refused at a question of `enable`. They are not offered again. */
export function declinedIds(configDir: string): readonly string[] {
  return readRegistry(configDir).declined ?? [];
}

/** Remembers that the user refused these. */
export function decline(configDir: string, ids: readonly string[]): void {
  change(configDir, (before) => [...before, ...ids.filter((id) => !before.includes(id))]);
}

/** Forgets refusals, since the user has asked for these by name. */
export function withdrawRefusal(configDir: string, ids: readonly string[]): void {
  change(configDir, (before) => before.filter((id) => !ids.includes(id)));
}

function change(configDir: string, edit: (before: readonly string[]) => string[]): void {
  const before = declinedIds(configDir);
  if (edit(before).length === before.length) return;
  updateRegistry(configDir, ({ declined = [], ...registry }) => {
    const ids = edit(declined);
    return ids.length === 0 ? registry : { ...registry, declined: ids };
  });
}

import type { Node } from "jsonc-parser";
import { UNTRUSTED } from "../../io/untrusted.ts";
import { callText, type HookEntry } from "./hook-entries.ts";
import {
  appendChild,
  dropEmpty,
  invalid,
  parseJson,
  removeChild,
  replaceValue,
  valueAt,
} from "./json-edit.ts";

/** Returns whether a command is mementor's. */
export type IsOwn = (command: string) => boolean;

/**
 * The position of one of mementor's hooks in the settings: in a group's list, which is in an event's list. A flat hook is its own
 * group.
 */
interface Place {
  event: string;
  group: Node;
  hook: Node;
  /** The line for a shell, or the program and its arguments in one text. */
  command: string;
  isExec: boolean;
}

/** Empty objects and lists that were there before mementor's entries, so that they are kept. */
export interface Kept {
  hooks: boolean;
  events: ReadonlySet<string>;
}

const NOTHING_KEPT: Kept = { hooks: false, events: new Set() };

/** Returns which empty objects and lists of a text must stay. */
export function findKept(text: string, file: string): Kept {
  const hooks = valueAt(parseJson(text, file), "hooks");
  return { hooks: hooks !== undefined, events: new Set(hooks?.type === "object" ? keysOf(hooks) : []) };
}

/**
 * Adds entries to the text of a settings file, and keeps every other byte. Updates existing entries in place, and
 * removes duplicate and outdated ones. Throws `settings_invalid`.
 */
export function addHooks(text: string, entries: readonly HookEntry[], isOwn: IsOwn, file: string): string {
  checkShape(text, file);
  checkBare(text, entries, file);
  const wanted = new Set(entries.map(({ event }) => event));
  const isSurplus: Choice = ({ event }, index, all) =>
    !wanted.has(event) || all.findIndex((place) => place.event === event) !== index;
  const stays = { hooks: true, events: new Set<string>() };
  let edited = withVersion(removeWhere(text, isOwn, isSurplus, stays, file), entries, file);
  for (const entry of entries) edited = addHook(edited, entry, isOwn, file);
  return edited;
}

/**
 * Removes mementor's entries from the text of a settings file, and objects and lists that become empty, except
 * `kept`.
 *
 * @throws `settings_invalid` for hooks in another form.
 */
export function removeHooks(text: string, isOwn: IsOwn, file: string, kept: Kept = NOTHING_KEPT): string {
  checkShape(text, file);
  return removeWhere(text, isOwn, () => true, kept, file);
}

/** One of mementor's entries. `command` is a shell line or, in the exec form, the program with its arguments. */
export interface FoundHook {
  event: string;
  command: string;
  isExec: boolean;
}

/** Lists mementor's entries. */
export function findHooks(text: string, isOwn: IsOwn, file: string): FoundHook[] {
  return places(parseJson(text, file), isOwn).map(({ event, command, isExec }) => ({
    event,
    command,
    isExec,
  }));
}

/** Flat settings name the version of their form. */
function withVersion(text: string, entries: readonly HookEntry[], file: string): string {
  const root = parseJson(text, file);
  const isFlat = entries.some((entry) => entry.isFlat === true);
  return isFlat && valueAt(root, "version") === undefined ? appendChild(text, root, "version", 1) : text;
}

function addHook(text: string, entry: HookEntry, isOwn: IsOwn, file: string): string {
  const root = parseJson(text, file);
  const there = places(root, isOwn).find(({ event }) => event === entry.event);
  if (there) return isCurrent(there, entry) ? text : update(text, there, entry);
  const hooks = valueAt(root, "hooks");
  const list = valueAt(hooks, entry.event);
  const group = groupOf(entry);
  if (list) return appendChild(text, list, null, group);
  if (hooks) return appendChild(text, hooks, entry.event, [group]);
  return appendChild(text, root, "hooks", { [entry.event]: [group] });
}

function groupOf(entry: HookEntry) {
  const { matcher, command, timeoutSeconds } = entry;
  if (entry.isFlat) return { command, timeout: timeoutSeconds, ...(matcher !== null && { matcher }) };
  const hooks = [formatHook(entry)];
  return entry.matcher === null ? { hooks } : { matcher: entry.matcher, hooks };
}

/** Returns a hook in the format of the settings. */
export function formatHook({ command, args, timeoutSeconds, timeoutUnit = "s", shell }: HookEntry) {
  const timeout = timeoutUnit === "ms" ? 1_000 * timeoutSeconds : timeoutSeconds;
  return { type: "command", command, ...(args && { args }), timeout, ...(shell && { shell }) };
}

/** Tells whether an entry is current. The user may have changed its timeout. */
function isCurrent({ group, hook, command, isExec }: Place, entry: HookEntry): boolean {
  const isShared = group !== hook && valueAt(group, "hooks")?.children?.length !== 1;
  return (
    isExec === (entry.args !== undefined) &&
    command === callText(entry.command, entry.args) &&
    (isShared || (valueAt(group, "matcher")?.value ?? null) === entry.matcher)
  );
}

/** Replaces the whole group if this hook is its only one; otherwise the hook, or only its command if that suffices. */
function update(text: string, { group, hook, isExec }: Place, entry: HookEntry): string {
  const isAlone = group === hook || valueAt(group, "hooks")?.children?.length === 1;
  if (isAlone) return replaceValue(text, group, groupOf(entry));
  const isOther = isExec || entry.args !== undefined || entry.shell !== undefined || valueAt(hook, "shell");
  if (isOther) return replaceValue(text, hook, formatHook(entry));
  const command = valueAt(hook, "command");
  return command ? replaceValue(text, command, entry.command) : text;
}

type Choice = (place: Place, index: number, all: readonly Place[]) => boolean;

/** Removes hooks one at a time, the last one first, so that the positions of the others stay valid. */
function removeWhere(text: string, isOwn: IsOwn, isChosen: Choice, kept: Kept, file: string): string {
  const chosen = places(parseJson(text, file), isOwn).map(isChosen);
  // Each removal rewrites the text.
  if (chosen.length > UNTRUSTED.settingsEntries)
    throw invalid(file, `it has ${chosen.length} hooks that look like those of mementor`);
  return chosen.reduceRight((edited, isGone, index) => {
    const place = isGone ? places(parseJson(edited, file), isOwn)[index] : undefined;
    return place ? removeOne(edited, place, kept, file) : edited;
  }, text);
}

function removeOne(text: string, { event, group, hook }: Place, kept: Kept, file: string): string {
  const isAlone = valueAt(group, "hooks")?.children?.length === 1;
  const edited = removeChild(text, isAlone ? group : hook);
  return dropEmpty(
    dropEmpty(edited, ["hooks", event], kept.events.has(event), file),
    ["hooks"],
    kept.hooks,
    file,
  );
}

function places(root: Node, isOwn: IsOwn): Place[] {
  return (valueAt(root, "hooks")?.children ?? []).flatMap(({ children: [name, groups] = [] }) =>
    (groups?.children ?? []).flatMap((group) =>
      (valueAt(group, "hooks")?.children ?? [group]).flatMap((hook) => {
        const program: unknown = valueAt(hook, "command")?.value;
        if (typeof program !== "string") return [];
        const args = argsOf(hook);
        const command = callText(program, args);
        const isExec = args !== undefined;
        return isOwn(command) ? [{ event: String(name?.value), group, hook, command, isExec }] : [];
      }),
    ),
  );
}

/** Returns the arguments of a hook in the exec form; undefined for a shell line. */
function argsOf(hook: Node): string[] | undefined {
  const args = valueAt(hook, "args");
  return args?.type === "array" ? (args.children ?? []).map(({ value }) => String(value)) : undefined;
}

function keysOf(object: Node): string[] {
  return (object.children ?? []).map((property) => String(property.children?.[0]?.value));
}

/** Rejects a file with events at the top level: hooks under "hooks" beside them might never be read. */
function checkBare(text: string, entries: readonly HookEntry[], file: string): void {
  const root = parseJson(text, file);
  const bare = entries.find(({ event }) => valueAt(root, event)?.type === "array");
  if (bare) throw invalid(file, `"${bare.event}" is not within "hooks"`);
}

/** Rejects settings in which "hooks" has another shape. */
function checkShape(text: string, file: string): void {
  const hooks = valueAt(parseJson(text, file), "hooks");
  if (hooks && hooks.type !== "object") throw invalid(file, '"hooks" is not an object');
  for (const key of hooks ? keysOf(hooks) : [])
    if (valueAt(hooks, key)?.type !== "array") throw invalid(file, `"hooks.${key}" is not a list`);
}

import { withoutTags } from "../../agents/notices.ts";
import { openToRead } from "../../recall/across/open-to-read.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { ReadStore } from "../../store/store.ts";
import { INVISIBLE } from "../../text/invisible.ts";
import { programCommand } from "../../text/lines.ts";
import type { OptionValues, viewOptions } from "../command-line/option.ts";
import { type Screen, styleFor } from "./screen.ts";

/** The result of a command, for programs and for people. */
export interface View {
  json: () => unknown;
  /** Whole, or in parts of whole lines. */
  text: (screen: Screen) => string | Iterable<string>;
}

type ViewOptions = OptionValues<typeof viewOptions>;

/** Opens the memory, or the team's database if named, and prints the view that `look` returns. */
export async function view(
  runtime: Runtime,
  options: ViewOptions,
  look: (store: ReadStore) => Promise<View>,
): Promise<number> {
  return show(runtime, options, await openToRead(runtime), look);
}

/** Like `view`, for data that only a local memory has. Throws `usage` if a team's database is named. */
export async function viewLocal(
  runtime: Runtime,
  options: ViewOptions,
  look: (store: SqliteStore) => Promise<View>,
): Promise<number> {
  return show(runtime, options, await runtime.openStore("readonly"), look);
}

async function show<Store extends ReadStore>(
  runtime: Runtime,
  { json, pager }: ViewOptions,
  store: Store,
  look: (store: Store) => Promise<View>,
): Promise<number> {
  const shown = await look(store).finally(() => store.close());
  const { host } = runtime;
  if (json) {
    host.stdout.write(renderJson(shown.json()));
  } else await (await import("./pager.ts")).printPaged(host, shown.text(screenOf(runtime)), pager);
  return 0;
}

/** Prints the result of a command, as JSON or as text. Returns the exit code of success. */
export function printResult<Result>(
  runtime: Runtime,
  { json }: { json: boolean },
  result: Result,
  text: (result: Result, screen: Screen) => string,
): number {
  runtime.host.stdout.write(json ? renderResult(result) : text(result, screenOf(runtime)));
  return 0;
}

/** Returns the properties of the screen that a command prints to. */
export function screenOf({ host: { stdout, env, now }, memoryOptions }: Runtime): Screen {
  return {
    style: styleFor(stdout, env),
    width: stdout.columns,
    now: now(),
    program: programCommand(memoryOptions),
  };
}

/** Characters that JSON allows unescaped, but that control a terminal or are invisible. */
const ACTIVE = new RegExp(`[\\x00-\\x1f\\x7f-\\x9f]|${INVISIBLE.source}`, "gu");

/** Renders a value as one line of JSON that is safe to print on a terminal. */
export function renderJson(value: unknown): string {
  return `${safeJson(JSON.stringify(value))}\n`;
}

/**
 * Escapes all characters in a line of JSON that control a terminal or are invisible, and those that start a tag with a meaning for
 * an agent, which reads what commands print. The value stays the same.
 */
export function safeJson(line: string): string {
  return withoutTags(
    line.replace(ACTIVE, (found) => found.split("").map(escaped).join("")),
    escaped,
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Renders a command's result as one line of JSON. Names are in snake case, like all names in the output. */
export function renderResult(value: unknown): string {
  return renderJson(snakeCased(value));
}

/** Renders the names of all properties in snake case. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), snakeCased(inner)]));
}

/** Converts camel case only: settings with dots, paths and kinds with hyphens are data and stay as they are. */
function snake(name: string): string {
  return /^[a-z]+(?:[A-Z][a-z]*)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : name;
}

import { isAbsolute, relative, resolve, sep } from "node:path";
import * as v from "valibot";
import { LIST_ROWS } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { rootsOf } from "../git/project.ts";
import { renderJson } from "../render/json.ts";
import type { Screen } from "../render/screen.ts";
import { styleFor } from "../render/style.ts";
import type { Runtime } from "../runtime.ts";
import type { BrowseStore, SessionSummary } from "../store/browse.ts";
import type { Store } from "../store/store.ts";
import { Flag, wholeNumber } from "./options.ts";
import { printPaged } from "./pager.ts";

/** The options that every command takes which looks at the memory. */
export const ViewOptions = v.object({ json: Flag, pager: v.optional(v.boolean(), true) });

/** How many rows a list shows. */
export const Rows = v.optional(wholeNumber(1, 1_000_000), `${LIST_ROWS}`);

/** What a command shows: for programs, and for people. */
export interface View {
  json: () => unknown;
  text: (screen: Screen) => string;
}

/** Opens the memory for reading, lets `look` find what to show, and prints it. */
export async function view(
  runtime: Runtime,
  { json, pager }: v.InferOutput<typeof ViewOptions>,
  look: (store: Store) => Promise<View>,
): Promise<number> {
  const store = await runtime.openStore("readonly");
  const shown = await look(store).finally(() => store.close());
  const { host } = runtime;
  if (json) host.stdout.write(renderJson(shown.json()));
  else await printPaged(host, shown.text(screenOf(runtime)), pager);
  return 0;
}

function screenOf({ host: { stdout, env, now } }: Runtime): Screen {
  return { style: styleFor(stdout, env), width: stdout.columns, now: now() };
}

/** Returns the session of this id or start of one; throws `not_found` when there is none. */
export async function requireSession(browse: BrowseStore, wanted: string): Promise<SessionSummary> {
  const session = await browse.session(wanted);
  if (session) return session;
  throw new MementorError("not_found", `There is no session "${wanted}".`, {
    hint: 'Run "mementor sessions" for a list; the start of an id will do.',
  });
}

/** What a typed path may be called in the memory. */
export interface TypedPath {
  /** Relative to the project, as seen from the current directory; then as it was typed. */
  exact: string[];
  /** What stored paths are compared with at their ends. */
  suffix: string;
}

/** Reads a path that was typed relative to the current directory, absolute, or as the end of one. */
export function typedPath(typed: string, cwd: string): TypedPath {
  const plain = typed.replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
  if (plain.includes("://")) return { exact: [typed, plain], suffix: plain };
  const absolute = resolve(cwd, plain);
  const inside = rootsOf(cwd)
    .map((root) => relative(root, absolute))
    .filter((path) => !path.startsWith(`..${sep}`) && path !== ".." && !isAbsolute(path))
    .map((path) => path.replaceAll(sep, "/"));
  const suffix = plain.replace(/^(?:\.{1,2}\/)+/, "").replace(/^\/+/, "");
  return { exact: [...new Set([...inside, absolute, plain])], suffix };
}

/** Returns the path as the memory has it, for filters, a directory with its `/`; what was typed when it is not known. */
export async function storedPath(browse: BrowseStore, typed: string, cwd: string): Promise<string> {
  const { exact, suffix } = typedPath(typed, cwd);
  const [found] = await browse.findPaths(exact, suffix);
  if (found !== undefined && exact.includes(found)) return found;
  for (const path of exact) {
    if (path !== "" && (await browse.files({ limit: 1, below: path })).length > 0) return `${path}/`;
  }
  return suffix;
}

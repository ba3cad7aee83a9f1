import { BGE_SMALL } from "../embed/bge.ts";
import { installedModels } from "../embed/models/manifest.ts";
import { toMementorError } from "../errors.ts";
import { type KnownName, NAMED_FILTERS, type NamedFilter, namesFor } from "../recall/unknown.ts";
import type { Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { truncateGraphemes } from "../text/cut.ts";
import { sessionName, shortId } from "../turn/title.ts";
import { renderWhen } from "./terminal/time.ts";

/** So many are offered of each kind, the latest first. */
const OFFERED = 30;
/** Characters of a description. */
const DESCRIBED = 60;
/** How long the answer waits for a process that writes, ms: somebody pressed Tab. */
const PATIENCE_MS = 200;

/** A word that a shell offers, and what it stands for; that may be empty. */
export type Offer = KnownName;

/** Returns the names of these kinds that a memory knows; none where there is none that may be read. Asks no server. */
export async function knownNames(kinds: readonly Known[], runtime: Runtime): Promise<Offer[]> {
  if (runtime.databaseUrl !== null) return [];
  try {
    if (kinds.every((kind) => kind === "models")) return models(runtime);
    await using store = await runtime.openStore("readonly", { busyTimeoutMs: PATIENCE_MS });
    const offers: Offer[] = [];
    for (const kind of kinds)
      offers.push(...(await (isListed(kind) ? OFFERS[kind](store, runtime) : namesFor(kind, store.browse))));
    return offers.map(({ word, description }) => ({ word, description: short(description) }));
  } catch (error) {
    (await runtime.log()).debug("complete", { error: toMementorError(error) });
    return [];
  }
}

/** The kinds of names but those that a memory lists for a filter alone. An option's are found by its own name. */
const OFFERS = {
  session: async ({ browse }) =>
    (await browse.sessions({}, { limit: OFFERED })).sessions.map((session) => ({
      word: shortId(session.sessionId),
      description: sessionName(session),
    })),
  turns: async ({ browse }) =>
    (await browse.recent(OFFERED, {})).map(({ turnId, title }) => ({
      word: `${turnId}`,
      description: title,
    })),
  author: async ({ browse }) => [
    ...(await namesFor("author", browse)),
    { word: "all", description: "everybody" },
  ],
  answers: async ({ journal }, { host }) =>
    (await journal.answers({ limit: OFFERED })).map(({ id, prompt, subject, time }) => ({
      word: `${id}`,
      description: prompt ?? subject ?? renderWhen(time, host.now()),
    })),
  models: (_, runtime) => models(runtime),
  devices: async ({ folder }) =>
    (await folder.writers())
      .filter(({ isOver, name }) => !isOver && name !== "")
      .map(({ name }) => ({ word: name, description: "" })),
} satisfies Record<string, (store: SqliteStore, runtime: Runtime) => Offer[] | Promise<Offer[]>>;

/** A kind of name that only the memory knows. */
export type Known = keyof typeof OFFERS | NamedFilter;

/** Whether there are such names. */
export function isKnown(kind: string): kind is Known {
  return isListed(kind) || NAMED_FILTERS.some((name) => name === kind);
}

function isListed(kind: string): kind is keyof typeof OFFERS {
  return Object.hasOwn(OFFERS, kind);
}

function models({ paths }: Runtime): Offer[] {
  const ids = [BGE_SMALL.id, ...installedModels(paths.modelsDir).map(({ id }) => id)];
  return [...new Set([...ids, "multilingual"])].map((word) => ({ word, description: "" }));
}

function short(text: string): string {
  return truncateGraphemes(text, DESCRIBED);
}

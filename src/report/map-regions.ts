import type { Place } from "./session-map.ts";

/** A directory that many sessions worked in, and the place of its name on the map. */
export interface Region {
  label: string;
  place: Place;
  sessions: number;
}

interface Mapped {
  place: Place | null;
  files: readonly { path: string; touches: number }[];
}

/** Maximum number of regions. The page omits names that it has no room for. */
const MAX_REGIONS = 20;
/** A region has at least this many sessions, and at least this share of all sessions. */
const MIN_SESSIONS = 3;
const MIN_SHARE = 0.01;
/** Directories are distinguished down to this depth. */
const MAX_DEPTH = 6;

/** Returns the directories that most sessions worked in, each at the middle (median) of its sessions. */
export function regionsOf(sessions: readonly Mapped[]): Region[] {
  const places = new Map<string, Place[]>();
  for (const { place, files } of sessions) {
    const label = place && mainDirectory(files);
    if (!place || !label) continue;
    places.set(label, [...(places.get(label) ?? []), place]);
  }
  const minSessions = Math.max(MIN_SESSIONS, sessions.length * MIN_SHARE);
  return [...places]
    .filter(([, found]) => found.length >= minSessions)
    .map(([label, found]) => ({ label, place: median(found), sessions: found.length }))
    .sort((a, b) => b.sessions - a.sessions || (a.label < b.label ? -1 : 1))
    .slice(0, MAX_REGIONS);
}

function mainDirectory(files: Mapped["files"]): string | null {
  const touches = new Map<string, number>();
  for (const { path, touches: count } of files) {
    // Files outside the project do not show where in the project a session worked.
    if (path.startsWith("/") || !path.includes("/")) continue;
    const directory = path.split("/").slice(0, -1).slice(0, MAX_DEPTH).join("/");
    touches.set(directory, (touches.get(directory) ?? 0) + count);
  }
  const ranked = [...touches].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return ranked[0]?.[0] ?? null;
}

function median(places: readonly Place[]): Place {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0.5;
  return { x: middle(places.map(({ x }) => x)), y: middle(places.map(({ y }) => y)) };
}

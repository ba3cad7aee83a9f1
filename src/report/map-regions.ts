import type { Place } from "./session-map.ts";

/** A part of the map that a directory has to itself, and where its name belongs. */
export interface Region {
  label: string;
  place: Place;
  sessions: number;
}

interface Mapped {
  place: Place | null;
  files: readonly { path: string; touches: number }[];
}

/** Names for the map, at most; the page leaves out those that it has no room for. */
const MOST = 20;
/** Fewer sessions than this are no region, nor is a share of all below this. */
const LEAST_SESSIONS = 3;
const LEAST_SHARE = 0.01;
/** Directories are told apart down to this depth. */
const DEPTH = 6;

/** Returns the directories that most sessions worked in, each at the middle (median) of its sessions. */
export function regionsOf(sessions: readonly Mapped[]): Region[] {
  const places = new Map<string, Place[]>();
  for (const { place, files } of sessions) {
    const label = place && mainDirectory(files);
    if (!place || !label) continue;
    places.set(label, [...(places.get(label) ?? []), place]);
  }
  const least = Math.max(LEAST_SESSIONS, sessions.length * LEAST_SHARE);
  return [...places]
    .filter(([, found]) => found.length >= least)
    .map(([label, found]) => ({ label, place: median(found), sessions: found.length }))
    .sort((a, b) => b.sessions - a.sessions || (a.label < b.label ? -1 : 1))
    .slice(0, MOST);
}

function mainDirectory(files: Mapped["files"]): string | null {
  const touches = new Map<string, number>();
  for (const { path, touches: count } of files) {
    // What lies outside the project says nothing about where in it a session worked.
    if (path.startsWith("/") || !path.includes("/")) continue;
    const directory = path.split("/").slice(0, -1).slice(0, DEPTH).join("/");
    touches.set(directory, (touches.get(directory) ?? 0) + count);
  }
  const ranked = [...touches].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return ranked[0]?.[0] ?? null;
}

function median(places: readonly Place[]): Place {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0.5;
  return { x: middle(places.map(({ x }) => x)), y: middle(places.map(({ y }) => y)) };
}

import { byId } from "./dom.client.js";

export const page = JSON.parse(byId("data").textContent);
export const sessions = page.sessions;

/** Colours for branches. Further branches, and sessions without a branch, share the last one. */
const COLOURS = 7;
/** A branch with a smaller share of all sessions than this has no colour. */
const LEAST_SHARE = 0.01;
export const OTHER = COLOURS;

const perBranch = page.branches.map(() => 0);
for (const session of sessions) if (session.branch >= 0) perBranch[session.branch]++;

/** Branches that have a colour, those with the most sessions first. */
export const mainBranches = page.branches
  .map((name, branch) => ({ name, branch, count: perBranch[branch] }))
  .filter(({ count }) => count >= sessions.length * LEAST_SHARE)
  .sort((a, b) => b.count - a.count || a.branch - b.branch)
  .slice(0, COLOURS);
const colours = new Map(mainBranches.map(({ branch }, i) => [branch, i]));

export function colourOf(session) {
  return colours.get(session.branch) ?? OTHER;
}

export function branchOf(session) {
  return page.branches[session.branch] ?? "";
}

for (const [i, session] of sessions.entries()) {
  session.i = i;
  session.time = session.start === null ? Number.NaN : Date.parse(session.start);
}

/** Sessions with a known time, oldest first. */
export const inTime = sessions
  .filter(({ time }) => !Number.isNaN(time))
  .sort((a, b) => a.time - b.time || b.i - a.i);

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const numberFormat = new Intl.NumberFormat("en");

export function dayText(time) {
  return Number.isNaN(time) ? "unknown time" : dayFormat.format(time);
}

export function momentText(time) {
  return Number.isNaN(time) ? "unknown time" : `${dayFormat.format(time)}, ${timeFormat.format(time)}`;
}

export function number(value) {
  return numberFormat.format(value);
}

export function plural(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : noun.endsWith("ch") ? "es" : "s"}`;
}

/** Returns the morning of a local date, `2026-03-04`, as a time. */
export function dateOf(text) {
  const [year, month, day] = text.split("-").map(Number);
  return new Date(year, month - 1, day);
}

/** The current search and selection. Charts and table listen for changes. */
export const state = { words: [], branch: null, path: null, selected: -1, matches: null };
const listeners = [];

export function listen(listener) {
  listeners.push(listener);
}

/** Changes the search or selection, and notifies the listeners. `matches` is null when all sessions match. */
export function change(changes) {
  Object.assign(state, changes);
  const { words, branch, path } = state;
  const isNarrow = words.length > 0 || branch !== null || path !== null;
  state.matches = isNarrow ? new Set(sessions.filter(fits).map(({ i }) => i)) : null;
  for (const listener of listeners) listener(state);
}

function fits(session) {
  const { words, branch, path } = state;
  if (branch !== null && (branch === "other" ? colourOf(session) !== OTHER : session.branch !== branch))
    return false;
  if (path !== null && !session.files.some(([file]) => file === path)) return false;
  return words.every((word) => textOf(session).includes(word));
}

function textOf(session) {
  session.text ??= [
    session.title,
    session.prompt,
    branchOf(session),
    session.id,
    ...session.files.map(([path]) => page.paths[path]),
    ...session.commits.flat(),
    ...session.prs.map(([pr]) => `#${pr}`),
  ]
    .join("\n")
    .toLowerCase();
  return session.text;
}

import { explore } from "./chrome.client.js";
import {
  change,
  colourOf,
  dayText,
  inTime,
  listen,
  mainBranches,
  OTHER,
  page,
  plural,
  sessions,
  state,
} from "./data.client.js";
import { byId, el, onWidth, svg } from "./dom.client.js";

const HEIGHT = 168;
const AXIS = 24;
/** Possible sides of a session's square. The largest that lets all fit is used. */
const SIDES = [16, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4.5, 4, 3.5, 3, 2.5, 2];
/** Minimum width of a period. */
const PERIODS = [
  { name: "day", days: 1, minWidth: 6 },
  { name: "week", days: 7, minWidth: 6 },
  { name: "month", days: 30, minWidth: 0 },
];
const [from, to] = page.usual ?? [0, 0];
const usual = inTime.filter(({ time }) => time >= from && time <= to);
/** Sessions far from all others in time. They stand apart, so that the axis keeps its room for the others. */
const earlier = inTime.filter(({ time }) => time < from);
const later = inTime.filter(({ time }) => time > to);
const spanDays = (to - from) / 86_400_000;

function startOf(time, period) {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (period === "month") return new Date(year, month, 1).getTime();
  return new Date(year, month, period === "week" ? day - ((date.getDay() + 6) % 7) : day).getTime();
}

function next(start, period) {
  const date = new Date(start);
  if (period === "month") return new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime();
  return new Date(
    date.getFullYear(),
    date.getMonth(),
    date.getDate() + (period === "week" ? 7 : 1),
  ).getTime();
}

function binsOf(period) {
  const bins = new Map();
  const last = startOf(to, period);
  for (let start = startOf(from, period); start <= last; start = next(start, period)) bins.set(start, []);
  for (const session of usual) bins.get(startOf(session.time, period))?.push(session);
  const all = [
    ...apart(earlier, period),
    ...[...bins].map(([start, members]) => ({ start, members })),
    ...apart(later, period).toReversed(),
  ];
  for (const { members } of all) members.sort((a, b) => colourOf(a) - colourOf(b) || a.time - b.time);
  return all;
}

/** Sessions that stand apart: their stack, and an empty period beside it. */
function apart(members, period) {
  if (members.length === 0) return [];
  const start = startOf(members[0].time, period);
  return [
    { start, members, isApart: true },
    { start, members: [] },
  ];
}

/** Says which sessions stand apart. */
function apartNote() {
  const named = (found, side) =>
    found.length > 0 && ` ${plural(found.length, "session")} of ${dayText(found[0].time)} at the ${side}.`;
  return [named(earlier, "left"), named(later, "right")].filter(Boolean).join("");
}

/** Returns the side of the squares and their number per row in a period: as large as the fullest period allows. */
function packing(room, fullest) {
  for (const side of SIDES) {
    const columns = Math.ceil(fullest / Math.floor((HEIGHT - 4) / side));
    if (columns * side <= room - 1) return { side, columns };
  }
  const columns = Math.max(1, Math.floor((room - 1) / 2));
  return { side: Math.min(2, ((HEIGHT - 4) * columns) / fullest), columns };
}

function drawTimeline(root, width) {
  const period = PERIODS.find(({ days, minWidth }) => width / (spanDays / days + 1) >= minWidth).name;
  const bins = binsOf(period);
  const room = width / bins.length;
  const fullest = bins.reduce((max, { members }) => Math.max(max, members.length), 1);
  const { side, columns } = packing(room, fullest);
  const top = HEIGHT - Math.ceil(fullest / columns) * side - 2;
  const marks = [];
  const drawing = svg("svg", {
    viewBox: `0 ${top} ${width} ${HEIGHT + AXIS - top}`,
    role: "application",
    tabindex: "0",
    "aria-label": `${plural(inTime.length, "session")} in order of time. Arrow keys go from one to the next, Enter opens it in the table.`,
  });
  const gap = side > 4 ? 1 : side > 2.5 ? 0.5 : 0.25;
  for (const [b, { members }] of bins.entries()) {
    const left = Math.round(b * room * 2) / 2;
    for (const [n, session] of members.entries()) {
      const mark = svg("rect", {
        x: left + (n % columns) * side,
        y: HEIGHT - (Math.floor(n / columns) + 1) * side,
        width: side - gap,
        height: side - gap,
        class: "mark",
        fill: `var(--c${colourOf(session)})`,
        "data-i": session.i,
      });
      marks[session.i] = mark;
      drawing.append(mark);
    }
  }
  drawing.append(svg("line", { x1: 0, x2: width, y1: HEIGHT + 1.5, y2: HEIGHT + 1.5, class: "axis" }));
  drawing.append(...ticks(bins, room, width));
  root.replaceChildren(drawing);
  explore(
    "timeline",
    drawing,
    marks,
    inTime.map(({ i }) => i),
  );
  byId("time-note").textContent =
    `One square a session, stacked by ${period}; the busiest ${period} has ${fullest}.${apartNote()}`;
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "short" });
const tickFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/**
 * Returns the labels of the axis: months, with the year when it changes; days when the whole range is within two
 * months.
 */
function ticks(bins, room, width) {
  const byDay = to - from < 62 * 86_400_000;
  const found = [];
  let until = -1;
  let year = null;
  for (const [b, { start, isApart = false }] of bins.entries()) {
    const date = new Date(start);
    const isNew = b === 0 || byDay || date.getMonth() !== new Date(bins[b - 1].start).getMonth();
    const x = b * room;
    if (!isNew || x < until) continue;
    const label = byDay ? tickFormat.format(date) : monthFormat.format(date);
    const text =
      !isApart && (year === date.getFullYear() || byDay) ? label : `${label} ${date.getFullYear()}`;
    const end = x + text.length * 7 + 12;
    if (end - 12 > width) break;
    year = date.getFullYear();
    until = end;
    found.push(
      svg("line", { x1: x + 0.5, x2: x + 0.5, y1: HEIGHT + 1.5, y2: HEIGHT + 6, class: "axis" }),
      svg("text", { x, y: HEIGHT + 19, class: "tick" }, text),
    );
  }
  return found;
}

function drawLegend() {
  const others = sessions.filter((session) => colourOf(session) === OTHER && session.branch >= 0).length;
  const unnamed = sessions.filter(({ branch }) => branch < 0).length;
  const entry = (branch, colour, name, count) =>
    el(
      "button",
      { type: "button", class: "key", "aria-pressed": "false", "data-branch": branch },
      svg(
        "svg",
        { viewBox: "0 0 10 10", "aria-hidden": "true" },
        svg("rect", { width: 10, height: 10, fill: `var(--c${colour})` }),
      ),
      el("bdi", {}, name),
      el("span", { class: "dim" }, `${count}`),
    );
  const entries = mainBranches.map(({ branch, name, count }) =>
    entry(branch, colourOf({ branch }), name, count),
  );
  if (others + unnamed > 0)
    entries.push(entry("other", OTHER, others > 0 ? "other branches" : "no branch", others + unnamed));
  byId("legend").replaceChildren(...entries);
  for (const button of entries) {
    const branch = button.dataset.branch === "other" ? "other" : Number(button.dataset.branch);
    button.addEventListener("click", () => change({ branch: state.branch === branch ? null : branch }));
    listen(() => button.setAttribute("aria-pressed", `${state.branch === branch}`));
  }
}

export function setUpTimeline() {
  drawLegend();
  const root = byId("timeline");
  if (inTime.length > 0) onWidth(root, (width) => drawTimeline(root, width));
  else byId("time-note").textContent = "No session has a known time.";
}

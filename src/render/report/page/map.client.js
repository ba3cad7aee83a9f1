import { explore } from "./chrome.client.js";
import { colourOf, inTime, page, plural, sessions } from "./data.client.js";
import { byId, onWidth, svg } from "./dom.client.js";

const MARGIN = 14;
const TALLEST = 560;

const placed = sessions.filter(({ place }) => place !== null);

function drawMap(root, width) {
  const height = Math.round(Math.min(width * 0.86, TALLEST));
  const x = (share) => MARGIN + share * (width - 2 * MARGIN);
  const y = (share) => MARGIN + share * (height - 2 * MARGIN);
  const radius = Math.max(2.5, Math.min(5, Math.sqrt((width * height) / placed.length) / 6));
  const marks = [];
  const drawing = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "application",
    tabindex: "0",
    "aria-label": `Map of ${plural(placed.length, "session")}. Arrow keys go through them in order of time, Enter opens one in the table.`,
  });
  for (const session of placed) {
    const mark = svg("circle", {
      cx: x(session.place[0]).toFixed(1),
      cy: y(session.place[1]).toFixed(1),
      r: radius,
      class: `mark c${colourOf(session)}`,
      "data-i": session.i,
    });
    marks[session.i] = mark;
    drawing.append(mark);
  }
  root.replaceChildren(drawing);
  drawing.append(...labels(x, y, width, height));
  explore(
    "map",
    drawing,
    marks,
    inTime.filter(({ place }) => place !== null).map(({ i }) => i),
  );
}

/** Draws the names of regions that have room, those with the most sessions first. */
function labels(x, y, width, height) {
  const taken = [];
  const found = [];
  for (const [label, left, top] of page.regions) {
    const half = label.length * 3.5 + 6;
    const middle = Math.max(half, Math.min(width - half, x(left)));
    const line = Math.max(14, Math.min(height - 6, y(top)));
    if (half * 2 > width) continue;
    const box = [middle - half, line - 14, middle + half, line + 6];
    if (
      taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])
    )
      continue;
    taken.push(box);
    found.push(svg("text", { x: middle, y: line, class: "region" }, label));
  }
  return found;
}

/** Says which sessions are not on the map. */
function missing() {
  const without = sessions.filter(({ place, fileCount }) => place === null && fileCount === 0).length;
  const waiting = sessions.length - placed.length - without;
  const verb = (count) => (count === 1 ? "is" : "are");
  return [
    without > 0 && `${plural(without, "session")} touched no files and ${verb(without)} left out.`,
    waiting > 0 &&
      `${plural(waiting, "session")} ${verb(waiting)} ${page.vectors === "waiting" ? "still being embedded" : "left out: their files have no vectors"}.`,
  ].filter(Boolean);
}

/** Says why there is no map. */
function withoutMap() {
  if (page.vectors === "none")
    return "A team's server has no vectors of files, so there is no map. For one of the memory on your machine, leave out --db.";
  return page.vectors === "waiting" && sessions.some(({ fileCount }) => fileCount > 0)
    ? "The files are still being embedded. Make the page again in a few minutes to see the map."
    : "No session has touched a file that has a vector.";
}

export function setUpMap() {
  const root = byId("map");
  byId("map-note").textContent =
    placed.length > 0
      ? ["Sessions that worked on similar files lie near each other.", ...missing()].join(" ")
      : withoutMap();
  if (placed.length > 0) onWidth(root, (width) => drawMap(root, width));
}

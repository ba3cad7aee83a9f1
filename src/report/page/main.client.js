import { setUpTheme } from "./chrome.client.js";
import { dayText, inTime, momentText, number, page, sessions } from "./data.client.js";
import { byId, drawAll, el } from "./dom.client.js";
import { setUpHeat } from "./heat.client.js";
import { setUpLinks } from "./link.client.js";
import { setUpTable } from "./table.client.js";
import { setUpTimeline } from "./timeline.client.js";

function figures() {
  const { totals, recall } = page;
  const all = [
    ["Sessions", totals.sessions],
    ["Turns", totals.turns],
    ["Notes", totals.notes],
    ["Days of work", totals.days],
    ["Files", totals.files],
    ["Commits", totals.commits],
    ["Pull requests", totals.prs],
  ].filter(([, value]) => value > 0);
  const shown = all.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, number(value))));
  if (recall && recall.prompts > 0) {
    const share = recall.told === 0 ? "" : ` of ${number(recall.told)}`;
    shown.push(
      el(
        "div",
        {},
        el("dt", {}, "Told turns whose files were then read or edited"),
        el("dd", {}, number(recall.used), el("span", { class: "of" }, share)),
      ),
    );
  }
  byId("figures").append(...shown);
}

function setUp() {
  setUpTheme();
  byId("made").textContent =
    `Made by mementor on ${momentText(Date.parse(page.made))}. Everything on this page is in this one file.`;
  if (sessions.length === 0) {
    byId("empty").textContent = page.narrowed
      ? `No turn fits: ${page.narrowed}.`
      : "This memory holds no sessions yet. They come with the next conversation, or with mementor ingest.";
    return;
  }
  const last = Math.max(...inTime.map(({ time, end }) => Date.parse(end) || time));
  const span = inTime.length === 0 ? "" : `${dayText(inTime[0].time)} to ${dayText(last)}`;
  byId("span").textContent = [span, page.narrowed && `turns of ${page.narrowed} only`]
    .filter(Boolean)
    .join("; ");
  figures();
  setUpTimeline();
  setUpHeat();
  drawAll();
  setUpTable();
  setUpLinks();
}

setUp();

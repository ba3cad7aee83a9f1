import chrome from "./page/chrome.client.js" with { type: "text" };
import conversation from "./page/conversation.client.js" with { type: "text" };
import data from "./page/data.client.js" with { type: "text" };
import detail from "./page/detail.client.js" with { type: "text" };
import dom from "./page/dom.client.js" with { type: "text" };
import heat from "./page/heat.client.js" with { type: "text" };
import link from "./page/link.client.js" with { type: "text" };
import main from "./page/main.client.js" with { type: "text" };
import map from "./page/map.client.js" with { type: "text" };
import prose from "./page/prose.client.js" with { type: "text" };
import table from "./page/table.client.js" with { type: "text" };
import timeline from "./page/timeline.client.js" with { type: "text" };

/** The modules, each before those that import it. */
const MODULES = [dom, data, chrome, timeline, map, heat, prose, conversation, detail, table, link, main];

/** Joins the page's modules into one script, without imports and exports: all names are then in one scope. */
export function pageScript(): string {
  return MODULES.map((module) =>
    module.replace(/^import [^;]*;\n/gm, "").replace(/^export (?=function|const|let)/gm, ""),
  ).join("");
}

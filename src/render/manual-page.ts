import { wrap } from "../text/wrap.ts";
import type { Style } from "./style.ts";

const STEP = 4;
/** How wide lines get at most: longer ones are hard to read. */
const MAX_WIDTH = 100;

/** What is open while the lines of a page are read. */
interface Place {
  /** How far text stands from the edge, in columns. */
  indent: number;
  /** Whether the next line is the name that `.TP` asks for, or the text below it. */
  tag: "none" | "name" | "text";
  isAsItIs: boolean;
  /** Words of the paragraph that is not written yet. */
  words: string[];
}

/**
 * Renders a manual page of `renderManual` or `renderCommandManual` for a terminal of `width` columns, as man would: the
 * macros that those two use, and no others.
 */
export function renderManualPage(page: string, { style, width }: { style: Style; width: number }): string {
  const place: Place = { indent: STEP, tag: "none", isAsItIs: false, words: [] };
  const screen = { style, width: Math.min(width, MAX_WIDTH) };
  const lines = page.trimEnd().split("\n");
  const shown = lines.flatMap((line) => renderLine(line, place, screen));
  return `${[...shown, ...flush(place, screen)].join("\n").trim()}\n`;
}

function renderLine(line: string, place: Place, screen: { style: Style; width: number }): string[] {
  const [, macro = "", rest = ""] = /^\.([A-Za-z]{1,2})(?: (.*))?$/.exec(line) ?? [];
  const { style } = screen;
  const text = plain(macro === "" ? line : rest);
  switch (macro) {
    case "TH":
      return [];
    case "SH":
    case "SS": {
      const before = flush(place, screen);
      Object.assign(place, { indent: STEP, tag: "none" });
      return [...before, "", `${macro === "SS" ? "  " : ""}${style.bold(text)}`];
    }
    case "TP": {
      const before = flush(place, screen);
      place.tag = "name";
      return before;
    }
    case "PP": {
      const before = flush(place, screen);
      place.tag = "none";
      return [...before, ""];
    }
    case "RS":
    case "RE": {
      const before = flush(place, screen);
      place.indent += macro === "RS" ? STEP : -STEP;
      place.tag = "none";
      return before;
    }
    case "nf":
    case "fi": {
      const before = flush(place, screen);
      place.isAsItIs = macro === "nf";
      return before;
    }
    default:
      return renderText(text, place, screen);
  }
}

function renderText(text: string, place: Place, { style, width }: { style: Style; width: number }): string[] {
  const edge = " ".repeat(place.indent);
  if (place.isAsItIs) return [`${edge}${text}`];
  if (place.tag === "name") {
    place.tag = "text";
    return wrap(text, width - place.indent).map((line) => `${edge}${style.bold(line)}`);
  }
  place.words.push(text);
  return [];
}

/** Writes the paragraph that ends here. */
function flush(place: Place, { width }: { width: number }): string[] {
  if (place.words.length === 0) return [];
  const indent = place.indent + (place.tag === "text" ? STEP : 0);
  const lines = wrap(place.words.join(" "), width - indent);
  place.words = [];
  return lines.map((line) => `${" ".repeat(indent)}${line}`);
}

/** Takes the quotes of an argument and the escapes of troff away. */
function plain(text: string): string {
  const unquoted = /^"(.*)"$/.exec(text)?.[1]?.replaceAll('""', '"') ?? text;
  return unquoted.replaceAll("\\&", "").replaceAll("\\-", "-").replaceAll("\\e", "\\");
}

/** Geometry of a picture of a terminal, in pixels. */
const CELL = { width: 8.4, height: 18 } as const;
const PADDING = 16;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

interface Look {
  isBold: boolean;
  isDim: boolean;
  colour: string | null;
}

const PLAIN: Look = { isBold: false, isDim: false, colour: null };
const COLOURS: Readonly<Record<number, string>> = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  36: "#79c0ff",
};

/** Draws what a terminal shows, with its escapes for colours, as an SVG. Other escapes are left out. */
export function terminalSvg(screen: string, columns: number): string {
  const lines = screen.trimEnd().split("\n");
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = lines.length * CELL.height + 2 * PADDING;
  let look = PLAIN;
  const rows = lines.map((line, at) => {
    const spans: string[] = [];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal are what it looks for
    for (const [, codes, letter, text] of line.matchAll(/\x1b\[([\d;?]*)([A-Za-z])|([^\x1b\r]+)/g)) {
      if (text === undefined) look = letter === "m" ? changed(look, codes ?? "") : look;
      else spans.push(span(text, look));
    }
    const y = PADDING + (at + 0.75) * CELL.height;
    return `<text x="${PADDING}" y="${y}" xml:space="preserve">${spans.join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal with mementor">
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="${FONT}" font-size="14" fill="#e6edf3">
${rows.join("\n")}
</g>
</svg>
`;
}

function changed(look: Look, codes: string): Look {
  const now = { ...look };
  for (const number of codes.split(";").map(Number)) {
    if (number === 0) Object.assign(now, PLAIN);
    if (number === 1) now.isBold = true;
    if (number === 2) now.isDim = true;
    if (number === 22) Object.assign(now, { isBold: false, isDim: false });
    if (number === 39) now.colour = null;
    if (number in COLOURS) now.colour = COLOURS[number] ?? null;
  }
  return now;
}

function span(text: string, { isBold, isDim, colour }: Look): string {
  const attributes = [
    isBold ? ' font-weight="bold"' : "",
    isDim ? ' fill-opacity="0.65"' : "",
    colour === null ? "" : ` fill="${colour}"`,
  ].join("");
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return attributes === "" ? safe : `<tspan${attributes}>${safe}</tspan>`;
}

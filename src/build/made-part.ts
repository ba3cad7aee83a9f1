import { PLATFORMS, TARGETS } from "../assets/target.ts";

const END = "<!-- End -->";

/** Returns a text in which what stands between `start` and the next mark of the end is `made`. Throws without the marks. */
export function madePart(markdown: string, start: string, made: string): string {
  const from = markdown.indexOf(start);
  const to = markdown.indexOf(END, from);
  if (from < 0 || to < from) throw new Error(`the text has no ${start.trim()} with ${END} after it`);
  return `${markdown.slice(0, from + start.length)}${made}${markdown.slice(to)}`;
}

const START = '<!-- Made by "bun run build" from src/assets/target.ts. -->\n';

/** Returns a page whose table of archives has a row for each platform. Throws without a place for it. */
export function withPlatformTable(markdown: string): string {
  const rows = TARGETS.map((target) => {
    const { machines, onnx } = PLATFORMS[target];
    return `| \`${target}\` | ${machines} | ${onnx === undefined ? "WASM" : "native"} |\n`;
  });
  return madePart(markdown, START, `| archive | for | runs on |\n| --- | --- | --- |\n${rows.join("")}`);
}

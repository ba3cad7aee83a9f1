import { PLATFORMS, TARGETS } from "../assets/target.ts";
import { madePart } from "./made-part.ts";

const START = '<!-- Made by "bun run build" from src/assets/target.ts. -->\n';

/** Returns a page whose table of archives has a row for each platform. Throws without a place for it. */
export function withPlatformTable(markdown: string): string {
  const rows = TARGETS.map((target) => {
    const { machines, onnx } = PLATFORMS[target];
    return `| \`${target}\` | ${machines} | ${onnx === undefined ? "WASM" : "native"} |\n`;
  });
  return madePart(markdown, START, `| archive | for | runs on |\n| --- | --- | --- |\n${rows.join("")}`);
}

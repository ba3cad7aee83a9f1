import { COMPONENTS } from "./components.ts";

const RULE = "=".repeat(80);

/** Returns the licences of everything in the binary: first a list, then the full texts. */
export function licensesText(): string {
  const list = COMPONENTS.filter(({ license }) => license !== "text").map(
    ({ name, license }) => `  ${name}: ${license}`,
  );
  const texts = COMPONENTS.map(({ name, text }) => `${RULE}\n${name}\n${RULE}\n\n${text.trim()}\n`);
  return `In addition to its own code (MIT), mementor contains:\n\n${list.join("\n")}\n\n${texts.join("\n")}`;
}

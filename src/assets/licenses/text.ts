import { COMPONENTS } from "./components.ts";

const RULE = "=".repeat(80);

/** Returns the licences of everything that the binary contains: first a list, then the full texts. */
export function licensesText(): string {
  const list = COMPONENTS.filter(({ license }) => license !== "text").map(
    ({ name, license }) => `  ${name}: ${license}`,
  );
  const texts = COMPONENTS.map(({ name, text }) => `${RULE}\n${name}\n${RULE}\n\n${text.trim()}\n`);
  return `mementor contains, beside its own code (MIT):\n\n${list.join("\n")}\n\n${texts.join("\n")}`;
}

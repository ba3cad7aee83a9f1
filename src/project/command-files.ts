import { resolve } from "node:path";
import { realPathIfExists } from "../io/read.ts";

/**
 * The files that a command names: words that are paths, and those behind its name that exist where it would run, as `x.sh` of
 * `sh x.sh`. Its name alone is looked for in PATH.
 */
export function commandFiles(line: string, cwd: string): string[] {
  const words = shellWords(line);
  const named = words.slice(1).filter((word) => word !== "" && realPathIfExists(resolve(cwd, word)) !== null);
  return [...words.filter((word) => /[/\\]/.test(word)), ...named];
}

/** How deep one command stands in the quotes of another. */
const MAX_DEPTH = 4;

/**
 * The words of a command line, without their quotes and what a shell reads between them; of `--file=x` also x, and of `-c 'sh x'`
 * the words within.
 */
function shellWords(line: string, depth = 0): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"|;&<>()`$])+/g) ?? [];
  return words.flatMap((quoted) => {
    const word = quoted.replace(/'([^']*)'|"([^"]*)"/g, "$1$2");
    const value = /^[^=]*=(.*)$/.exec(word)?.[1];
    return [
      word,
      ...(value === undefined ? [] : [value]),
      ...(/\s/.test(word) && depth < MAX_DEPTH ? shellWords(word, depth + 1) : []),
    ];
  });
}

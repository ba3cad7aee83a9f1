import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What leave to ask must let run, and what it must not, as an agent's model tries it. */
export interface Attempts {
  /** A call of `recall`, then attempts to do something else with it. */
  commands: readonly string[];
  /** Those that did something else. */
  gotThrough: () => string[];
}

/**
 * Returns commands for a shell in `directory`: each of them but the first would leave a file there. `program` is the one
 * that may run `recall`.
 */
export function attemptsIn(directory: string, program: string, question: string): Attempts {
  const other = join(directory, "other");
  mkdirSync(other, { recursive: true });
  const made = (index: number) => join(directory, `made-${index}`);
  const tried = OTHERWISE.map((write, index) =>
    write({ recall: `${program} recall x`, made: made(index), other }),
  );
  // Its `mementor` stands for any program of this name.
  const script = `#!/bin/sh\nfor n in "$@"; do case $n in ${directory}/*) touch "$n" ;; esac; done\n`;
  writeFileSync(join(other, "mementor"), script, { mode: 0o755 });
  return {
    commands: [`${program} recall '${question}'`, ...tried],
    gotThrough: () => tried.filter((_, index) => existsSync(made(index))),
  };
}

interface Words {
  /** A call of `recall`. */
  recall: string;
  /** The file to make. */
  made: string;
  /** A directory with another `mementor`, which makes each file that it is given. */
  other: string;
}

const OTHERWISE: readonly ((words: Words) => string)[] = [
  ({ recall, made }) => `${recall}; touch ${made}`,
  ({ recall, made }) => `${recall} && touch ${made}`,
  ({ recall, made }) => `${recall} & touch ${made}`,
  ({ recall, made }) => `${recall}\ntouch ${made}`,
  ({ recall, made }) => `${recall} # x\ntouch ${made}`,
  ({ recall, made }) => `${recall} | tee ${made}`,
  ({ recall, made }) => `${recall} > ${made}`,
  ({ recall, made }) => `${recall} &>> ${made}`,
  ({ recall, made }) => `> ${made} ${recall}`,
  ({ recall, made }) => `${recall} "$(touch ${made})"`,
  ({ recall, made }) => `${recall} \`touch ${made}\``,
  ({ recall, made }) => `${recall} <(touch ${made})`,
  ({ recall, made }) => `${recall} \${x:=$(touch ${made})}`,
  ({ recall, made }) => `${recall} <<EOF\n$(touch ${made})\nEOF`,
  ({ recall, made }) => `${recall} <<'EOF'; touch ${made}\nx\nEOF`,
  ({ recall, made }) => `if ${recall}; then touch ${made}; fi`,
  ({ made, other }) => `PATH=${other}:$PATH mementor recall ${made}`,
  ({ made, other }) => `cd ${other} && ./mementor recall ${made}`,
  ({ recall, made }) => `${recall.replace(" recall x", " report -o")} ${made}`,
];

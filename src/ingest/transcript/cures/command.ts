import { type ShellCommand, shellCommands } from "../tools/shell-words.ts";

/** Length of a command to keep and compare. */
const COMMAND_CHARS = 1_000;
/** Length of a command to parse, because here-documents can have megabytes. */
const PARSED_CHARS = 8_000;

/** Programs that start the program named after them. */
const STARTERS = new Set(["sudo", "env", "time", "nice", "nohup", "command", "exec", "then", "do", "!", "{"]);
/** Programs with several names. */
const SAME = new Map([
  ["python3", "python"],
  ["pip3", "pip"],
]);
/** Programs whose first argument is a subcommand. */
const WITH_SUBCOMMAND =
  /^(?:git|gh|glab|go|cargo|npm|npx|pnpm|yarn|bun|bunx|deno|docker|podman|kubectl|helm|terraform|mise|make|just|task|mix|rake|bundle|rails|pip|uv|poetry|dotnet|gradlew?|mvn|composer|aws|gcloud|az|brew|apt|apt-get|systemctl|rtk|nx|turbo|fly|flyctl|heroku|vercel|supabase|tmux|ng|swift|flutter|dart)$/;
const RUNS_SCRIPT = new Set(["run", "exec", "x", "compose", "tool"]);
/** Commands that only read, or prepare the command after them. */
const LOOKS =
  /^(?:cd|ls|cat|head|tail|grep|egrep|rg|find|echo|printf|pwd|wc|sort|uniq|sed -n|awk|cut|tr|jq|which|type|test|\[|true|false|sleep|tree|less|file|stat|diff|export|set|source|\.|git (?:status|diff|log|show|branch|remote|rev-parse|ls-files|blame|grep|check-ignore|describe)|gh (?:pr|run|issue|api|repo)|read|date|ps|du|df|base64|tee|pushd|popd|exit|od|xxd|hexdump|pgrep|Get-\w+|Select-\w+)$/;

/** Returns the kind of a simple command, such as `git push` or `bun run lint`; null when unclear. */
function kindOf({ words }: ShellCommand): string | null {
  const said = words
    .filter(({ redirect }) => !redirect)
    .map(({ text }) => text)
    .filter((word) => !/^\w+=/.test(word) && !STARTERS.has(word));
  const [program = "", ...rest] = said;
  const last = program.split(/[\\/]/).at(-1) ?? "";
  const name = SAME.get(last) ?? last;
  if (!/^[\w.[!@+-]+$/.test(name) || name.startsWith("-")) return null;
  if (name === "sed" && rest[0] === "-n") return "sed -n";
  if (!WITH_SUBCOMMAND.test(name)) return name;
  const plain = rest.filter((word) => /^[\w@][\w:@.-]*$/.test(word));
  const [first] = plain;
  if (first === undefined) return name;
  const second = RUNS_SCRIPT.has(first) || first === "bun" ? plain[1] : undefined;
  return [name, first, second].filter((word) => word !== undefined).join(" ");
}

/** Returns the kinds of those parts of a command line that do more than read; all kinds if none does. */
export function commandKinds(command: string): string[] {
  const kinds = shellCommands(command.slice(0, PARSED_CHARS)).flatMap((simple) => kindOf(simple) ?? []);
  const doing = kinds.filter((kind) => !LOOKS.test(kind));
  return [...new Set(doing.length > 0 ? doing : kinds)];
}

/** Tells whether a command line only reads. */
export function onlyLooks(command: string): boolean {
  return shellCommands(command.slice(0, PARSED_CHARS)).every((simple) => LOOKS.test(kindOf(simple) ?? "cd"));
}

/** Returns the words of a command line without its redirections. */
export function wordsOfCommand(command: string): Set<string> {
  const words = shellCommands(command.slice(0, PARSED_CHARS)).flatMap(({ words }) =>
    words.filter(({ redirect }) => !redirect),
  );
  return new Set(words.map(({ text }) => text).filter((text) => text !== "" && !/^\d?>/.test(text)));
}

/** Minimum shares of common words in two commands for the same task, with the same kind or different ones. */
const ALIKE = { sameKind: 0.45, others: 0.6 } as const;

/** Tells whether two command lines had the same task. */
export function isSameTask(a: string, b: string): boolean {
  if (isSameKind(a, b)) return commandLikeness(a, b) >= ALIKE.sameKind;
  return commandLikeness(a, b) >= ALIKE.others && !areSiblings(commandKinds(a), commandKinds(b));
}

/**
 * Tells whether two commands run different tasks of the same program, such as `bun run lint` and `bun run build`, rather than
 * variants of one.
 */
function areSiblings([a = "", ...others]: readonly string[], [b = "", ...more]: readonly string[]): boolean {
  if (others.length > 0 || more.length > 0) return false;
  const isSameProgram = a.split(" ")[0] === b.split(" ")[0];
  return isSameProgram && !a.startsWith(b) && !b.startsWith(a);
}

/** Tells whether two command lines have a kind in common. */
export function isSameKind(a: string, b: string): boolean {
  const kinds = new Set(commandKinds(a));
  return commandKinds(b).some((kind) => kinds.has(kind));
}

/** Returns the share of words that two command lines have in common, 0 to 1 (Dice coefficient). */
export function commandLikeness(a: string, b: string): number {
  const [left, right] = [wordsOfCommand(a), wordsOfCommand(b)];
  const size = left.size + right.size;
  return size === 0 ? 0 : (2 * left.intersection(right).size) / size;
}

const HIDES_EXIT =
  /\|\|\s*(?:true|echo|:)|;\s*(?:echo|true)\b[^;]*$|\|\s*(?:tail|head|grep|sed|awk|cat|tee|wc|sort|jq|Select-\w+)\b[^|;&]*$/;

/** Tells whether a command line always exits with 0, unlike the other one. */
export function hidesExit(command: string, other: string): boolean {
  return HIDES_EXIT.test(command.trim()) && !HIDES_EXIT.test(other.trim());
}

/** Returns a command line on one line, without the redirections at its end. */
export function evenCommand(command: string): string {
  return command
    .slice(0, COMMAND_CHARS)
    .replace(/\s+/g, " ")
    .replace(/(?<!\s)(?:\s*2>&1){1,9}\s*$/, "")
    .trim();
}

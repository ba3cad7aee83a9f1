/** Names of code that say of a secret, in the style of programs: paths, calls, identifiers, flags and variables. */

const OWNERS = "identity access refresh session device ipns folder vault invoice printer kiln".split(" ");
const VERBS = "sign get rotate verify wrap load store revoke parse derive".split(" ");
const SECRETS =
  "Jwt Token Key Secret Password PrivateKey ApiKey Credentials Passphrase AuthToken SigningKey AccessToken".split(
    " ",
  );

function capitalised(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

function namesOf(owner: string, verb: string, word: string): string[] {
  const snake = word.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const kebab = snake.replaceAll("_", "-");
  const Owner = capitalised(owner);
  return [
    `${verb}${Owner}${word}`,
    `${verb}_${owner}_${snake}()`,
    `${verb}${Owner}${word}(${owner}Id, options)`,
    `apps/api/src/${owner}/${kebab}.service.ts`,
    `src/${owner}/${verb}-${kebab}.test.ts`,
    `${Owner}${word}Provider`,
    `${owner.toUpperCase()}_${snake.toUpperCase()}_FILE`,
    `packages/${owner}/lib/${snake}_${verb}.py`,
    `${owner}.${verb}${word}(request)`,
    `${Owner}Service::${verb}_${snake}`,
    `internal/${owner}/${snake}.go:47`,
    `--${owner}-${kebab}-file`,
    `~/.${owner}/id_${kebab}`,
  ];
}

/** More than a thousand such names. */
export const CODE_NAMES: readonly string[] = SECRETS.flatMap((word, i) =>
  OWNERS.flatMap((owner, j) => namesOf(owner, VERBS[(i + j) % VERBS.length] ?? "get", word)),
);

type Put = (a: string, b: string, c: string) => string;

/** Where such names stand: rows of tool calls, tables, lists and sentences. */
export const NAME_PLACES: readonly (readonly [place: string, put: Put])[] = [
  ["row of calls", (a, b, c) => `[Tools] Grep(pattern="${a}") | Edit(${b}) | Read(${c}) | Edit(${b})`],
  [
    "row of commands",
    (a, b, c) => `[Tools] Bash(desc="Look for ${a}", cmd="grep -rn '${a}' ${b}") | Read(${c}) | Write(${b})`,
  ],
  ["row of paths", (a, b, c) => `Read(${a}) | Grep(pattern="${b}", path="src") | Edit(${c})`],
  ["table", (a, b, c) => `| Name | Where |\n| --- | --- |\n| \`${a}\` | ${b} |\n| \`${b}\` | \`${c}\` |`],
  ["row of a table", (a, b, c) => `| ${a} | ${b} |\n| ${b} | ${c} |`],
  [
    "columns that name secrets",
    (a, b, c) => `| Step | Secret | Token |\n|---|---|---|\n| one | ${a} | ${b} |\n| two | \`${c}\` | ${a} |`,
  ],
  [
    "sentence in a cell",
    (a, b, c) =>
      `| ${a} | Wrapped for each reader of the folder by \`${b}\`, read in ${c} with 2 tries & no cache |`,
  ],
  ["list", (a, b, c) => `Then derive the IPNS private key\n- Pass to \`${a}\`\n- then \`${b}\`\n- ${c}`],
  ["list with names", (a, b, c) => `- ${a} - ${b}\n- ${a}: \`${b}\`\n- **${b}**: ${c}`],
  [
    "sentence",
    (a, b, c) => `The backend issues a JWT (\`${a}\`), the password goes to ${b}, the token to \`${c}\`.`,
  ],
  ["quotes", (a, b, c) => `token "${a}", secret '${b}', key \`${c}\``],
  ["settings", (a, b, c) => `token: ${a}\nsecret: \`${b}\`\n"jwt": "${c}"`],
  ["arrows", (a, b) => `token -> ${a}, private key → \`${b}\``],
  ["tree", (a, b, c) => `├── ${a}\n│   ├── ${b}\n│   └── ${c}`],
];

import { type Finder, finder, valueBehind } from "./finder.ts";
import { looksMixed } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";

const WORDS =
  "secret set|secrets set|secret add|secrets add|secret create|secrets create|secret put|secrets put|secret update|secret version|secret-create|secret create-base64|create-secret|put-secret-value|orgsecret add|variable set|variable create|variable update";
const ARGS = "[^\\n|;]{0,200}?";
/** The value of a flag, whatever the program: `secret add --name x --value …`. */
const FLAG = `${ARGS}(?<=\\s)--?(?:value|data|payload|content|body|secret-content-content|secret-payload|secret-string|secret-data|string-value|from-literal[ =][\\w.-]{1,60})[ =]{1,3}`;
/** The value of a pair: `secrets set NAME=…`. A pair that was taken out already is passed over. */
const PAIR = `\\s${ARGS}(?<=\\s)["']?[A-Za-z_][\\w.-]{0,80}=(?!@|["']?\\[redacted)`;
const PAIRED = "travis encrypt|var put|functions:config:set|config:set|kubeseal|env:set|env set";
/** The word behind a name: `env set NAME …`. */
const NAMED = "\\s{1,20}(?:-\\S{1,200}\\s{1,20}){0,2}[A-Za-z_][\\w./-]{0,60}\\s{1,20}(?=\\S*\\d)";

const FILED = new RegExp(
  `(?:echo|printf|cat|base64 -d)\\s(?:-[neE]{1,3}\\s|["']%s(?:\\\\n)?["']\\s|<<<\\s?){0,2}${valueBehind("")}\\s{0,20}(?:\\|[^\\n|>]{0,60})?(?:\\|\\s?(?:sudo )?tee(?: -a)?|>{1,2})\\s?["']?[^\\s"']{0,80}(?:passw|_pass\\b|passphrase|secret|token|api_?key|credential|private_?key)(?![\\w.-]*\\.pub)`,
  "y",
);

function command(words: string, rest: string, random = false): Finder {
  return finder(words.split("|"), "secret", new RegExp(`(?:${words})${rest}${valueBehind("")}`, "y"), random);
}

const TABLE =
  /(?:Key {2,60}Value *\r?\n-+ {2,60}-+ *|NAME +[│|] +VALUE[^\n]{0,80}\r?\n[^\n]{1,300})(?=\r?\n)/y;
const ROW = /\r?\n[│|]? {0,4}[A-Za-z][\w.-]{0,60} {1,60}(?:[│|] {1,4})?([^\s│|]{1,300})[^\n]{0,200}/y;

/** The first random value in the table of a vault, whatever its name is. */
function valueInTable(text: string, at: number): Secret | null {
  TABLE.lastIndex = at;
  if (!TABLE.test(text)) return null;
  ROW.lastIndex = TABLE.lastIndex;
  for (let row = ROW.exec(text), from = TABLE.lastIndex; row; from = ROW.lastIndex, row = ROW.exec(text)) {
    const value = row[1] ?? "";
    const start = from + row[0].indexOf(value, row[0].search(/[A-Za-z][\w.-]{0,60} /) + 1);
    if (value.length >= 8 && looksMixed(value) && !isStandIn(value))
      return { start, end: start + value.length, kind: "secret" };
    ROW.lastIndex = from + row[0].length;
  }
  return null;
}

/** Commands that keep a secret somewhere, whatever its name is. */
export const STORE_FINDERS: readonly Finder[] = [
  command(WORDS, FLAG),
  command(WORDS, PAIR),
  command(PAIRED, PAIR, true),
  command("travis encrypt|kubeseal", `${PAIR}(?=\\S*\\d)`),
  command(
    "travis env set|variable set|convex env set|env:set|secret set|secret add|secrets set|railway variables set",
    NAMED,
    true,
  ),
  command(
    "chamber write|set-env|orgsecret add|buildkite-agent secret set",
    `\\s{1,20}\\S{1,60}${NAMED}`,
    true,
  ),
  command("conjur variable set|conjur variable values add", `${ARGS}(?<=\\s)-v[ =]{1,3}`),
  command("kubeseal", `${ARGS}--from-literal[ =]["']?[\\w.-]{1,60}=`),
  command(
    "aws ssm put-parameter",
    `(?=[^\\n]{0,300}--name[ =]\\S{0,80}(?:passw|secret|token|key))[^\\n|;]{0,300}?--value[ =]{1,3}`,
  ),
  command("confluent api-key store", "\\s{1,20}\\S{1,60}\\s{1,20}"),
  command("cloudflared service install", "\\s{1,20}"),
  command("consul agent|nomad agent|serf agent", `${ARGS}(?<=\\s)-encrypt[ =]{1,3}`),
  command("rabbitmqctl set_cookie", "\\s{1,20}"),
  { words: ["Key  ", "NAME  "], find: valueInTable },
  finder(
    ["SONAR", "SNYK", "CODECOV", "DOCKERHUB", "HEROKU", "NETLIFY", "VERCEL", "SENTRY"].map(
      (name) => `${name}: `,
    ),
    "token",
    /[A-Z]{4,10}: {1,4}((?=[^\s]{0,40}\d)[\w-]{16,200})(?=\s|$)/y,
    true,
  ),
  // What goes to a file whose name says what it holds.
  finder(["echo ", "printf ", "cat <<<", "base64 -d"], "secret", FILED, true),
  finder(
    ["keyring set"],
    "password",
    new RegExp(`keyring set\\s[^\\n|;<]{1,80}<<<\\s{0,20}${valueBehind("")}`, "y"),
  ),
];

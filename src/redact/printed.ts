import { type Finder, finder, firstGroup, type Secret, valueBehind } from "./finder.ts";
import { isCamelPhrase, isCoupled } from "./made-up.ts";
import { PASSWORD } from "./names.ts";
import { looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";
import { isSecretValue } from "./values.ts";

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

/** Services whose name alone stands before a token in the variables and logs of builds. */
const SERVICES =
  "SONAR SNYK CODECOV DOCKERHUB HEROKU NETLIFY VERCEL SENTRY SLACK STRIPE MAILGUN MAILJET TWILIO DATADOG SENDGRID ALGOLIA PAYPAL FASTLY SHOPIFY ZENDESK MAPBOX BUGSNAG".split(
    " ",
  );

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
  finder(
    SERVICES.flatMap((name) => [`${name}: `, `${name} = `]),
    "token",
    /[A-Z\d]{3,12}(?:: | ?= ?) {0,3}["']?((?=[^\s]{0,40}\d)[\w-]{16,200})(?=["']?(?:\s|$))/y,
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

const LINE = "[^\\n]{0,200}";

const VARIABLE = "\\{?[A-Z0-9_]{0,40}(?:PASS|PASSWORD|PASSWD|PWD|SECRET|TOKEN|KEY|PAT)\\}?";
/** A program that changes how a value is written. */
const FILTER =
  "(?:[ \\t]*\\|[ \\t]*(?:rev|base64|base32|xxd|od|hexdump|fold|tr|sed|cut|head|tail|awk)\\b[^\\n]{0,60})?";
const SECRET_NAME = "(?:PASS|SECRET|TOKEN|API_?KEY|[Pp]assw|secret|token|api_?key)";

/** Commands that print a secret on the next line: how each starts, and what else it has to say. */
const PRINTING: readonly (readonly [word: string, rest: string])[] = [
  ["kubectl ", `[^\\n]{0,60}?(?:get secrets?\\s[^\\n]{0,300}?\\.data|create token )${LINE}`],
  ["gcloud secrets versions access", LINE],
  ["gcloud auth ", `(?:application-default )?print-(?:access|identity)-token${LINE}`],
  ["argocd admin initial-password", LINE],
  ["az account get-access-token", LINE],
  ["az keyvault secret show", LINE],
  ["az webapp deployment list-publishing-", `[^\\n]{0,200}?(?:userPWD|publishingPassword)${LINE}`],
  ["az ", `[^\\n]{0,120}?(?:keys? (?:list|show|renew)|credential (?:show|reset|renew)|list-keys)\\s${LINE}`],
  ["aws ecr get-login-password", LINE],
  ["aws secretsmanager get-", LINE],
  ["aws ssm get-parameter", `[^\\n]{0,200}?--with-decryption${LINE}`],
  ["aws configure get", `\\s{1,20}\\S{0,40}(?:secret|token)${LINE}`],
  ["aws sts ", `[^\\n]{0,200}?(?:SessionToken|SecretAccessKey)${LINE}`],
  ["aws rds generate-db-auth-token", LINE],
  ["wg gen", `(?:key|psk)[^\\n]{0,80}`],
  ["openssl rand", LINE],
  ["pwgen ", LINE],
  ["op read", LINE],
  ["pass show", LINE],
  ["bw get password", LINE],
  ["vault kv get", `[^\\n]{0,200}?-field${LINE}`],
  ["output -raw ", `\\S{0,60}(?:pass|secret|token|key)${LINE}`],
  ["pulumi ", `(?:stack output|config get) ${LINE}(?:--show-secrets|[Pp]assword|[Ss]ecret|[Tt]oken)${LINE}`],
  ["heroku auth:token", LINE],
  ["gh auth token", LINE],
  ["secret-tool lookup", LINE],
  ["keyring get ", LINE],
  ["lpass show", LINE],
  ["doctl databases ", `[^\\n]{0,120}?--format Password${LINE}`],
  ["heroku config:get ", `\\S{0,60}(?:PASS|SECRET|TOKEN|KEY)${LINE}`],
  ["fly tokens create", LINE],
  ["flyctl tokens create", LINE],
  ["npm token create", LINE],
  ["doppler secrets get ", `${LINE}--plain${LINE}`],
  ["infisical secrets get ", LINE],
  ["chamber read ", LINE],
  ["artisan key:generate --show", LINE],
  ["rails secret", LINE],
  ["rake secret", LINE],
  ["mix phx.gen.secret", LINE],
  ["ansible-vault decrypt_string", LINE],
  ["dumpprivkey ", LINE],
  ["vault token create", `[^\\n]{0,200}?-field${LINE}`],
  ["vault write -field", LINE],
  ["vault read -field", LINE],
  [
    "cat ",
    `[^\\n]{0,100}?(?:secret|token|passw|passphrase|credential|_pass|api_?key|master\\.key|\\.cookie)[\\w.-]{0,20}${FILTER}`,
  ],
  ["echo $", `${VARIABLE}${FILTER}`],
  ['echo "$', `${VARIABLE}"${FILTER}`],
  ["printenv ", `${VARIABLE}${FILTER}`],
  ["jq -r ", `[^\\n]{0,60}(?:passw|secret|token|key)${LINE}`],
  ["git config --get ", `[^\\n]{0,40}(?:pass|token|secret|oauth)${LINE}`],
  ["apg ", LINE],
  ["xkcdpass", LINE],
  ["gpg --gen-random", LINE],
  ["secrets.token_", `\\w{3,8}\\(${LINE}`],
  ["randomBytes", `\\(${LINE}`],
  ["security find-", `(?:generic|internet)-password${LINE}`],
  ["bw unlock", LINE],
  ["bw login ", LINE],
  ["op signin", LINE],
  ["kubectl view-secret", LINE],
  ["podman secret inspect", `[^\\n]{0,80}--showsecret${LINE}`],
  ["terraform output ", `\\S{0,60}${SECRET_NAME}${LINE}`],
  ["tofu output ", `\\S{0,60}${SECRET_NAME}${LINE}`],
  ["random_password.", `\\w{1,40}\\.result\\)?`],
  ["nonsensitive(", LINE],
  ["consul keygen", LINE],
  ["keyring generate", LINE],
  ["kubeadm certs certificate-key", LINE],
  ["gitea generate secret", LINE],
  ["rbw get", LINE],
  ["gopass ", LINE],
  ["pass ", `(?<=[$%#>❯] pass )[\\w./@-]{2,60}`],
  ["keepassxc-cli show", LINE],
  ["oc whoami", `[^\\n]{0,20}(?:-t|--show-token)\\b${LINE}`],
  ["kubeadm token ", `(?:create|generate)${LINE}`],
  ["aws codeartifact get-authorization-token", LINE],
  ["aws kms decrypt", LINE],
  ["heroku authorizations:create", LINE],
  ["vault print token", LINE],
  ["step crypto rand", LINE],
  ["sops ", `[^\\n]{0,80}--extract${LINE}`],
  ["/dev/urandom", `(?!["'])${LINE}`],
  ["/dev/random", `(?!["'])${LINE}`],
  ["SecureRandom", LINE],
  ["get_random_secret_key", LINE],
  ["grep -", `[^\\n]{0,60}${SECRET_NAME}[^\\n]{0,30}\\\\K${LINE}`],
  ["awk ", `[^\\n]{0,80}${SECRET_NAME}[^\\n]{0,60}print \\$\\d${LINE}`],
  ["sed -n", `[^\\n]{0,40}${SECRET_NAME}[^\\n]{0,40}//p${LINE}`],
  ["yq ", `[^\\n]{0,60}${SECRET_NAME}${LINE}`],
  ["consul kv get ", `[^\\n]{0,60}${SECRET_NAME}${LINE}`],
  ["etcdctl get ", `[^\\n]{0,60}${SECRET_NAME}${LINE}`],
  ["redis-cli ", `[^\\n]{0,80}(?:get|GET) \\S{0,60}${SECRET_NAME}${LINE}`],
];

const COMMANDS = PRINTING.map(([word]) => word);
const ALL = PRINTING.map(([word, rest]) => `${RegExp.escape(word)}${rest}`).join("|");
const COMMAND = `(?:${ALL})\\r?\\n[ \\t]*`;
/** A path or a host, as a command prints that prints no secret. */
const PLAIN = "(?![a-z0-9-]+(?:\\.[a-z0-9-]+){2,}(?:\\s|$))";

/** A word that is all that a command printed, in quotes or before the sign of a shell, which may follow at once. */
const ALONE = new RegExp(
  `${COMMAND}${PLAIN}["']?([^\\s"'$%]{6,4000})["']?(?:[%$#] ?)?[ \\t]*(?:\\r?\\n|$)`,
  "y",
);

function printedAlone(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, ALONE);
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  const isLikely = /\d/.test(value) || looksRandom(value) || isCoupled(value) || isCamelPhrase(value);
  if (!isLikely || isStandIn(value) || !isSecretValue(value.slice(0, 100), PASSWORD, "flag")) return null;
  return { ...place, kind: "secret" };
}

/** What commands print whose output is a secret, and files that hold nothing but one. */
export const PRINTED_FINDERS: readonly Finder[] = [
  { words: COMMANDS, find: printedAlone },
  finder(
    COMMANDS,
    "secret",
    new RegExp(`${COMMAND}${PLAIN}([\\w+/=.~!@#$%^*?&:()-]{8,4000})(?=\\s|$)`, "y"),
    true,
  ),
  // What they print as JSON.
  finder(
    COMMANDS,
    "secret",
    new RegExp(
      `(?:${ALL})\\r?\\n(?:[^\\n]{0,200}\\n){0,8}?[^\\n]{0,200}?"(?:Value|value|SecretString|keyString)"\\s?:\\s?"([^"\\n]{6,4000})"`,
      "y",
    ),
    true,
  ),
  finder(
    ["elasticsearch-reset-password"],
    "password",
    /elasticsearch-reset-password[^\n]{0,100}\n(?:[^\n]{0,200}\n){0,4}?New value: (\S{6,100})/y,
  ),
  // A dump of a file with a secret.
  finder(
    ["xxd ", "hexdump ", "od -"],
    "secret",
    /\w{2,7} [^\n]{0,60}(?:secret|token|passw|key|cred)[^\n]{0,40}\n((?:[0-9a-f]{6,8}:?[ \t][^\n]{10,90}(?:\n|$)){1,60})/y,
  ),
  // A file that holds nothing but a secret, and a lone random word below its name.
  finder(
    ["/secrets/", "initialAdminPassword", "node-token", "agent-token", "vault-token"],
    "secret",
    /[^\n]{0,120}\r?\n[ \t]*((?=\S{0,80}\d)[\w+/=.~!@#%^*?&:-]{12,4000})[ \t]*(?:\r?\n|$)/y,
    true,
  ),
  // What is typed again has the same value.
  finder(
    ["[redacted:"],
    "password",
    /\[redacted:[\w-]{1,20}\]["']?[ \t]*\r?\n[^\n:]{0,60}(?:again|re-?type|re-?enter|repeat|confirm|verify|once more|wiederhol|bestätig|répét|repet|repit|herhaal|powtórz|повтор)[^\n:]{0,60}:[ \t]*(\S{5,200})/iy,
  ),
  // Jenkins shows the password of its first user between blank lines.
  finder(
    ["following password"],
    "password",
    /following password[^\n]{0,80}:?[ \t]*\r?\n(?:[ \t]*\r?\n){0,2}[ \t]*([^\s]{8,100})[ \t]*(?:\r?\n|$)/y,
    true,
  ),
  // The keys of a storage account, as a table.
  finder(
    ["KeyName "],
    "api-key",
    /KeyName [^\n]{0,100}\n[- ]{10,200}\n(?:[^\n]{0,200}\[redacted[^\n]{0,40}\n){0,3}[^\n]{0,120}?\s([\w+/=]{40,200})[ \t]*(?=\n|$)/y,
    true,
  ),
  // The second line of what Redis answers.
  finder(
    ["requirepass", "masterauth"],
    "password",
    /(?:requirepass|masterauth)(?:\r?\n\s{0,4}(?:1\) )?"?(?:requirepass|masterauth))?"?\r?\n\s{0,4}(?:2\) )?"?(?!\d\))([^\s"]{5,300})"?/y,
  ),
];

import { meaningOf } from "./names.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";
import { isSecretValue } from "./values.ts";

/** A value of a command line, in quotes or up to the next blank. */
const VALUE = valueBehind("");

/** A value behind a user's name and a mark, all in quotes or none. */
function valueBehind(user: string): string {
  return `(?:\\\\*"${user}([^"\\n]{1,300}?)\\\\*"|\\\\*'${user}([^'\\n]{1,300}?)\\\\*'|${user}([^\\s"'\`|;&<>)]{1,300}))`;
}
const ARGS = "[^\\n|;]{0,300}?";

const SEED_PHRASE =
  /(?:mnemonic|(?:seed|recovery) phrase)(?:[_ ]?(?:phrase|words))?["']?\s{0,3}(?:[:=]|is)?\s{0,3}\\*["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b/iy;
const XML_KEY = /<[A-Za-z]{1,8}>\s{0,20}([A-Za-z0-9+/]{40,4000}={0,2})/y;
const JSON_KEY = /"\w{1,2}"\s?:\s?"([\w-]{40,2000})"/y;
/** A link that lets in whoever has it. */
const LINK = /[a-z/-]{5,20}\/([\w.-]{24,300})/y;
const CODE = /(?<=[?&])code=([\w.%/-]{24,400})/y;
const CONVEX = /\w{3,7}:[a-z]{2,20}-[a-z]{2,20}-\d{1,4}\|([\w+/=]{32,200})/y;
/** An address that was taken for a path lost one of its slashes. */
const CUT_ADDRESS = /https?:\/(?!\/)[^\s/:@]{1,60}:([^\s/@]{4,200})@/y;

interface Command {
  /** Words that start such a command. */
  words: readonly string[];
  kind: string;
  /** Sticky, from the word on; the first of its groups that matched is the secret. */
  pattern: RegExp;
  /** The value is a secret only when it looks random. */
  random?: boolean;
}

function command(words: string, rest: string, kind = "password", random = false, user = ""): Command {
  const pattern = new RegExp(`(?:${words})${rest}${valueBehind(user)}`, "y");
  return { words: words.split("|"), kind, pattern, random };
}

/** Commands whose arguments hold a secret that no name announces: programs, what stands up to the secret. */
const COMMANDS: readonly Command[] = [
  command(
    "mysql |mysqldump |mysqladmin |mysqlimport |mariadb |mariadb-dump |mysqlsh ",
    `${ARGS}(?<=\\s)-p(?=[^\\s-])`,
  ),
  command(
    "docker login|podman login|helm registry login|skopeo login|oras login|buildah login|az acr login|nerdctl login|crane auth login",
    `${ARGS}\\s-p[ =]?`,
  ),
  command("redis-cli |keydb-cli |valkey-cli ", `${ARGS}(?<=\\s)-a[ =]?`),
  command("sshpass ", `${ARGS}(?<=\\s)-p\\s{0,3}`),
  command(
    "curl |wget |lftp ",
    `(?:[^\\n;]{0,400}?\\s)?(?:-[a-zA-Z]{0,5}u|--user|--proxy-user|-U|-a|--auth)[ =]{0,3}`,
    "password",
    false,
    "[^\\s:\"'=]{1,80}[:,]",
  ),
  command("ldapsearch |ldapmodify |ldapadd |ldapwhoami |ldappasswd ", `${ARGS}(?<=\\s)-w\\s{0,3}`),
  command("sqlcmd |bcp |isql |osql ", `${ARGS}(?<=\\s)-P\\s{0,3}`),
  command("zip |unzip |mosquitto_pub |mosquitto_sub |ipmitool |snmpwalk ", `${ARGS}(?<=\\s)-P\\s{1,3}`),
  command("7z |7za |rar |unrar ", `${ARGS}(?<=\\s)-h?p(?=[^\\s-])`),
  command(
    "mongo |mongosh |mongodump |mongorestore |mongoexport |cqlsh |oc login|az login|az sql |altool |twine upload|psexec |clickhouse-client |arangosh |couchbase-cli ",
    `${ARGS}(?<=\\s)-p[ =]{1,3}`,
  ),
  command("plink |pscp |psftp |putty ", `${ARGS}(?<=\\s)-pw\\s{1,3}`),
  command("xfreerdp |wfreerdp ", `${ARGS}(?<=\\s)/p:`),
  command(
    "smbclient |rpcclient |mount.cifs |smbget ",
    `${ARGS}(?<=\\s)(?:-U|--user=?)\\s{0,3}`,
    "password",
    false,
    "[\\w./\\\\-]{1,80}%",
  ),
  command(
    "htpasswd ",
    `-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \\t]+(?:[^\\s-]\\S*[ \\t]+){1,2}(?=\\S+[ \\t]*(?:$|[\\n;|&>]))`,
  ),
  command("openssl ", `${ARGS}(?<=\\s)-(?:passin|passout|pass)\\s+(?:pass:)`),
  command("openssl ", `(?:enc|des3|aes)[^\\n|;]{0,200}?(?<=\\s)-k\\s+`),
  command("wpa_passphrase ", `\\\\*["']?\\S{1,40}\\s+`),
  command("rabbitmqctl |rabbitmqadmin ", `(?:add_user|change_password|authenticate_user)\\s+\\S{1,60}\\s+`),
  command("mosquitto_passwd ", `-b\\s+\\S+\\s+\\S+\\s+`),
  command("gh secret set|gh variable set", `${ARGS}(?<=\\s)(?:-b|--body)[ =]{0,3}`, "secret"),
  command("aws configure set", `\\s+[\\w.]*(?:secret_access_key|session_token)\\s+`, "api-key"),
  command("aws configure set", `\\s+[\\w.]*access_key_id\\s+`, "api-key", true),
  command("mc alias set|mc config host add", `\\s+\\S+\\s+\\S+\\s+\\S+\\s+`, "api-key"),
  command(
    "composer config",
    `${ARGS}(?:http-basic|github-oauth|gitlab-token|bearer)\\.\\S+\\s+(?:\\S+\\s+)?(?=\\S+\\s*(?:$|[\\n;|&]))`,
    "token",
  ),
  command(
    "wandb login|snyk auth|cargo login|vault login|doppler login|fly auth token|ngrok authtoken|wrangler secret put|huggingface-cli login|bw unlock|vault operator unseal|sentry-cli login|snyk config set|nuget setApiKey|nuget push|gem push|dotnet nuget push|doctl auth init|vercel |netlify |firebase |surge |railway login",
    `${ARGS}(?<=[\\s=])(?=["']?[\\w.-]*\\d)`,
    "token",
    true,
  ),
  command("chpasswd", `\\s*<<<\\s*\\\\*["']?[\\w.-]{1,40}:`),
  command("useradd |usermod ", `${ARGS}(?<=\\s)(?:-p|--password)[ =]{1,3}`),
  command("net use|net user", `${ARGS}\\s(?:/user:\\S+\\s+|(?=\\S+\\s+/add))`),
  command("git clone|git remote", `${ARGS}x-access-token:`, "token"),
  command("kubectl create secret", `${ARGS}--docker-password=`),
  command("kubectl create secret|oc create secret", `[^\\n|;]{0,300}--from-literal[ =]["']?[\\w.-]{1,60}=`),
  command("vault kv put|vault write|vault kv patch", `\\s[^\\n|;]{0,300}?\\s[\\w.-]{1,60}=(?!@)`),
  command("ssh-keygen ", `${ARGS}(?<=\\s)-[NP]\\s{0,3}`),
  command("sqlplus |expdp |impdp |sqlldr |rman ", `${ARGS}(?<=\\s)["']?[\\w$#]{1,40}/(?=\\S{1,80}@)`),
  command("aws ssm put-parameter", `(?=[^\\n]{0,400}SecureString)[^\\n|;]{0,300}?--value[ =]{1,3}`),
  command("poetry config", `${ARGS}http-basic\\.\\S+\\s+\\S+\\s+(?=\\S+\\s*(?:$|[\\n;|&]))`),
  command("bundle config", `\\s[^\\n|;:]{1,120}?\\s[\\w.-]{1,60}:(?!/)`),
  command(
    "dotnet nuget |nuget sources |conan user |conan remote |pulumi config ",
    `${ARGS}(?<=\\s)-p[ =]{1,3}`,
  ),
  command("security add-|security import", `${ARGS}(?<=\\s)-[wP]\\s{1,3}`),
  command(
    "security unlock-keychain|security create-keychain|security set-key",
    `${ARGS}(?<=\\s)-[pk]\\s{1,3}`,
  ),
  command("snmpwalk |snmpget |snmpset |snmpbulkwalk ", `${ARGS}(?<=\\s)-[AX]\\s{1,3}`),
  command(
    "snmpwalk |snmpget |snmpset |snmpbulkwalk |snmptrap ",
    `${ARGS}(?<=\\s)-c\\s{1,3}`,
    "snmp-community",
  ),
  command("enable secret|enable password", `\\s[0579]\\s`),
  command("username ", `\\S{1,40}\\s[^\\n]{0,40}?(?:secret|password)\\s[0579]\\s`),
  command("snmp-server community", `\\s`),
  command("ACL SETUSER", `\\s[^\\n]{0,80}?\\s>`),
  command("ascii-text ", "\\s{0,3}"),
  command("rclone obscure ", "\\s{0,3}"),
  command("NickServ ", `(?i:identify|register)\\s(?:\\w{1,30}\\s(?=\\S*\\d))?`),
];

/** `echo secret | command` and `command <<< secret`: commands that read a secret. */
const READERS =
  "sudo\\s(?:[^\\n|;]{0,40}\\s)?-[a-zA-Z]*S|docker login|podman login|helm registry login|passwd\\b|chpasswd\\b|gh auth login|gh secret set|cryptsetup|wrangler secret put|vault (?:login|kv put)|sshpass|kinit|gpg\\b[^\\n|;]{0,60}--passphrase-fd|ssh-add|npm login|bw unlock|su\\b|smbpasswd|ansible-vault|openssl[^\\n|;]{0,80}stdin|docker secret create|flyctl secrets import|vercel env add|az login|oc login|doctl auth";
const ECHOED = new RegExp(
  `(?:echo|printf)\\s+(?:-[neE]{1,3}\\s+)?(?:\\\\*["']%s(?:\\\\{1,2}n)?\\\\*["']\\s+)?${VALUE}\\s*\\|\\s*(?:sudo\\s+)?(?:${READERS})`,
  "y",
);
const HERE = new RegExp(
  `(?:sudo|docker|podman|gh|passwd|cryptsetup|kinit|su|vault|wrangler)\\s[^\\n|;<]{0,120}<<<\\s*${VALUE}`,
  "y",
);
/** SQL that gives a user a password. */
const SQL =
  /(?:identified\s+(?:with\s+\S{1,40}\s+)?by(?:\s+password)?|password(?:\s+for\s+\S{1,60})?\s*(?:=|\s)|set\s+password(?:\s+for\s+\S{1,60})?\s*=|encrypted\s+password|password\s*\()\s*\(?\s*(?:\\*'([^'\n]{1,200}?)\\*'|\\*"([^"\n]{1,200}?)\\*")/iy;
/** `machine host login user password secret`, as in .netrc. */
const NETRC = /login\s{1,3}\S{1,100}\s{1,3}(?:password|passwd)\s{1,3}(?!is\b|for\b|to\b)([^\s"']{4,200})/y;
/** A list of codes that let in without a second factor. */
const CODES =
  /(?:recovery|backup) codes?\b[^\n\d]{0,40}[:\n]\s{0,20}((?:(?:[ \t>*-]|\d{1,2}[.)])*(?:[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){1,4}|\d{8,12}|\d{4,5} \d{4,5}|[a-z]*\d[a-z0-9]{7,12})[ \t,;`"']*\n?){1,24})/iy;
const PGPASS = /[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:([^\s:"']{5,200})/y;
const AUTH = /AUTH\s{1,3}(?:\w{1,30}\s)?([^\s"']{8,200})/y;
const EXPECT = /send(?:_user)?\s+(?:--\s+)?\\*"([^"\n]{5,100}?)\\{1,3}[rn]\\*"/y;

/** Finds a secret where one of its words starts. */
export interface Finder {
  words: readonly string[];
  find: (text: string, at: number) => Secret | null;
}

function finder(words: readonly string[], kind: string, pattern: RegExp, random = false): Finder {
  return { words, find: (text, at) => found(text, at, pattern, kind, random) };
}

export const COMMAND_FINDERS: readonly Finder[] = [
  ...COMMANDS.map(({ words, kind, pattern, random }) => finder(words, kind, pattern, random)),
  finder(["echo ", "printf "], "password", ECHOED),
  finder(
    [
      "sudo ",
      "docker login",
      "podman login",
      "gh auth",
      "gh secret",
      "passwd ",
      "cryptsetup ",
      "kinit ",
      "su ",
      "vault ",
      "wrangler ",
    ],
    "password",
    HERE,
  ),
  finder(
    [
      "identified ",
      "IDENTIFIED ",
      "Identified ",
      "password ",
      "PASSWORD ",
      "password(",
      "PASSWORD(",
      "set password",
      "SET PASSWORD",
      "encrypted password",
      "ENCRYPTED PASSWORD",
    ],
    "password",
    SQL,
  ),
  finder(["login "], "password", NETRC),
  finder(["recovery code", "Recovery code", "backup code", "Backup code"], "recovery-codes", CODES),
  finder(["AUTH "], "password", AUTH, true),
  finder(
    ["mnemonic", "Mnemonic", "MNEMONIC", "seed phrase", "Seed phrase", "recovery phrase", "Recovery phrase"],
    "seed-phrase",
    SEED_PHRASE,
  ),
  finder(["<D>", "<DP>", "<DQ>", "<P>", "<Q>", "<InverseQ>"], "private-key", XML_KEY, true),
  finder(['"d":', '"d" :', '"k":', '"dp":', '"dq":', '"qi":'], "private-key", JSON_KEY),
  finder(
    [
      "reset-password/",
      "password-reset/",
      "password/reset/",
      "magic-link/",
      "magic/",
      "invite/",
      "invitation/",
      "verify-email/",
      "confirm-email/",
      "unsubscribe/",
    ],
    "token",
    LINK,
    true,
  ),
  finder(["code="], "token", CODE, true),
  { words: ["INTO ", "into "], find: insertedSecret },
  finder(["prod:", "dev:", "preview:"], "convex-key", CONVEX),
  finder(["https:/", "http:/"], "password", CUT_ADDRESS),
  finder(["send "], "password", EXPECT, true),
];

/** Lines of .pgpass: `host:port:database:user:password`; `colon` is the first of a line. */
export function pgpassSecret(text: string, colon: number): Secret | null {
  let at = colon;
  while (at > 0 && colon - at < 100 && /[\w.*-]/.test(text[at - 1] ?? "")) at--;
  return found(text, at, PGPASS, "password", false);
}

function found(text: string, at: number, pattern: RegExp, kind: string, random: boolean): Secret | null {
  const place = firstGroup(text, at, pattern);
  if (!place) return null;
  const value = text.slice(place.start, place.end);
  if (value.length < 4 || isStandIn(value) || (random && !looksRandom(value))) return null;
  if (value.startsWith("-") && /\s/.test(text[place.start - 1] ?? "")) return null;
  return { ...place, kind };
}

/** Where the first group that matched stands; null when the sticky pattern does not match. */
export function firstGroup(text: string, at: number, pattern: RegExp): { start: number; end: number } | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const value = match?.slice(1).find((group) => group !== undefined);
  if (!match || value === undefined) return null;
  const start = at + match[0].lastIndexOf(value);
  return { start, end: start + value.length };
}

const INSERT = /into\s{1,4}[^\s(]{1,80}\s{0,4}\(([^()]{1,600})\)\s{0,20}values\s{0,20}\(([^\n]{1,1000})/iy;
const ITEM = /\s*(\\*'(?:[^'\n]|'')*'|\\*"[^"\n]*"|[^,()'"]+(?:\([^()]*\))?)\s*(?:,|\))/y;

/** The first value that an INSERT gives to a column whose name says that it is a secret. */
function insertedSecret(text: string, at: number): Secret | null {
  INSERT.lastIndex = at;
  const match = INSERT.exec(text);
  if (!match) return null;
  const [, columns = "", values = ""] = match;
  ITEM.lastIndex = INSERT.lastIndex - values.length;
  for (const column of columns.split(",")) {
    const item = ITEM.exec(text)?.[1];
    if (item === undefined) return null;
    const meaning = meaningOf(column.replace(/\W+/g, ""));
    const value = /^\\*(['"])(.*?)\\*\1$/.exec(item)?.[2];
    if (value === undefined || !isSecretValue(value, meaning.strength, "quoted")) continue;
    const start = text.indexOf(value, ITEM.lastIndex - item.length - 2);
    return { start, end: start + value.length, kind: meaning.kind };
  }
  return null;
}

const SHORT_FLAG = /-[a-zA-Z][ =]\\*["']?(?!\/)([A-Za-z0-9_+/=-]{20,200})(?![\w./:-])/y;

const USER_FLAG = new RegExp(`-[aAuU][ =]${valueBehind("[^\\s:\"'=/]{1,80}:")}`, "y");

/** A long random value behind a flag of one letter, or a password behind a user's name. */
export function flagSecret(text: string, at: number): Secret | null {
  const pair = found(text, at, USER_FLAG, "password", false);
  const isLikely = pair !== null && /(?=.*\d)(?=.*[A-Za-z]).{8}/.test(text.slice(pair.start, pair.end));
  return isLikely ? pair : randomFlag(text, at);
}

function randomFlag(text: string, at: number): Secret | null {
  SHORT_FLAG.lastIndex = at;
  const value = SHORT_FLAG.exec(text)?.[1];
  if (value === undefined || isStandIn(value) || !looksMixed(value)) return null;
  const end = SHORT_FLAG.lastIndex;
  return { start: end - value.length, end, kind: "secret" };
}

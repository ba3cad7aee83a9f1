import { describe, expect, test } from "bun:test";
import { redact } from "../../src/redact/redact.ts";

/** Values that people make up, by what shows them; the secret stands between `«` and `»`. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  "a user and a password": [
    "it's admin / «kettleDrum42» on staging",
    "its root / «OldBarn58» for the pi",
    "For the demo account use demo@kiln.test / «Walnut-Ferry-19»",
    "Logging in to registry.kiln.test as ci / «Xq72LmPz0vKd»",
    "the admin panel: admin/«plumTree88»",
    "belépés: ada / «Almafa2020»",
    "die Zugangsdaten sind admin/«Apfelbaum12»",
  ],
  "a name that ends in AUTH, CRED or KEY": [
    "REDIS_AUTH=«kettleDrum42»",
    "REDIS_AUTH=«Walnut-Ferry-19»",
    "export MQTT_AUTH='«OldBarn58»'",
    'export LDAP_CRED="«Winter.Coat.2019»"',
    "JENKINS_AUTH=admin:«h4ppyLlama!»",
    "CRED=ada:«kettleDrum42»",
    "credentials=ada/«kettleDrum42»",
    "BACKUP_KEY=«TrainSpotting22»",
    "tool --auth «kettleDrum42»",
    "tool --auth=ada:«kettleDrum42»",
  ],
  "a log": [
    "[build] Using password: «BlueHorse77!»",
    "Using password: «kettleDrum42»",
    "##[debug]password=«tortuga2Verde9»",
    "[INFO] Connecting with user ada and password «BrownBear45»",
    "ansible_become_pass: «rootBeer66»",
    "12:01:03 SLACK: «xkq82ms0lvb73nd9»",
    "env:\n  MAILJET = «xkq82ms0lvb73nd9kk»\n  DEPLOY_ENV: prod",
  ],
  "a list of names and values": [
    "Key              Value\n---              -----\npassword         «kettleDrum42»\nusername         ada",
    "====== Data ======\nKey         Value\n---         -----\napi_token    «BlueHorse77!»\nurl    https://kiln.test",
    "====== Data ======\nKey       Value\n---       -----\nmailjet    «b82msq0lvx73nd9k»\nstripe    «ZqK81mvB20xPs7»",
    "┌──────────────┬────────┐\n│ NAME         │ VALUE  │\n├──────────────┼────────┤\n│ API_TOKEN  │ «plumTart42» │\n│ MAILJET │ «kd82ms0lvb73nd9x» │\n└──────────────┴────────┘",
    "NAME            VALUE\nSTRIPE_KEY      «skq82ms0lvb73nd9»\nDB_PASS         «walnutFerry19»",
    "│ SECRET NAME │ SECRET VALUE     │ TYPE    │\n├─────────────┼──────────────────┼─────────┤\n│ TWILIO      │ «kd82ms0lvb73nd9x» │ shared  │",
    "Key   Value                Version\ndb    «Zx8vB3nM5kL7jH»       4",
  ],
  YAML: [
    "users:\n- name: ada\n  user:\n    token: «BlueHorse77!»",
    "users:\n- name: ada\n  user:\n    token: «kettleDrum42»",
    "db:\n  user: ada\n  password: «meadowLark»",
    "spring:\n  datasource:\n    password: «apricotJam3»",
    "  client_secret: '«kettleDrum42»'",
    "kind: Secret\nstringData:\n  user: ada\n  webhook: «plumTree4022»",
    "{user: ada, pwd: «BlueHorse78!»}",
  ],
  "what asks for it": [
    "ada@h1's password: «goldenEagle1»",
    "$ su - ada\nPassword: «stormCloud»",
    "$ mysql -u root -p\nEnter password: «hotPotato9»",
    "login: ada\nPassword: «cactusFlower9»\nLast login: Mon",
    'expect "Password:" { send "«gravyTrain»\\r" }',
  ],
  "a list of pairs": [
    "host=db1 user=ada password=«kettleDrum42» dbname=x",
    "login=ada pass=«steamboat4» db=kiln",
    "uid:ada|pwd:«kettleDrum42»|db:kiln",
    "KEY=«KettleDrum42»;HOST=db1",
    "CREATE SUBSCRIPTION s CONNECTION 'host=p1 user=repl password=«steamBoat4»' PUBLICATION p;",
  ],
  "words that a mark or a capital joins": [
    "password = «Turnip_Court»",
    "Passwort: «Esel+Birne»",
    "the pass is «Lavender_Cup»",
    "le mot de passe «Brioche_Or»",
    "la contraseña nueva: «Gato&Luna»",
    "A wifi jelszó «meggyesPite»",
    "uid=books pw=«Carrot_Barn» host=pg-archive",
    "opts: user=etl,pass=«walnut/Cabin»,ssl=true",
    "set GIT_CRED=ada:«Plum!Jam»",
    'ssh.connect("10.0.0.3", 22, "pi", "«cherryCake»")',
    '.basic_auth("books", Some("«Poplar_Wick»"))',
    "INSERT INTO users (email, password) VALUES ('ada@kiln.test', '«cranberry.Canoe»');",
    "the router's page opens with «Violet_Spade»",
    "ADMIN_PW ...... «CopperPot!»",
    "api_password: !env_var API «Harbour_Green»",
    "snmp community (secret): «0riental_Rug»",
    "printf 'ada:«Weather_Vane»' | base64",
    "/prod/db/pass\tSecureString\t«Salt&Sand»",
    "KEYS_PASSPHRASE=«nine ducks under the stone bridge»",
  ],
  "numbers and codes": [
    "The PIN for the safe is «840273»",
    "when it asks for the PIN type «593816»",
    '{"login": "desk", "pin": "«6627»"}',
    'users:\n  - login: desk\n    pin: "«4472»"',
    "the sandbox key is «e408003a91092b9206eff47d3dadb265» for now",
    "AUTH_TOKEN|«8k6xksiyq08zp6nvxvdaxh8298u9yueeelxazpkz»|2027-03-01",
    "Wiederherstellungscodes:\n1. «ysroq-bt1pc»\n2. «uoh2h-d7qzq»",
    "frase semilla: «llave cochino venda joven cifra germen neutro virgo gaita viñedo caldo secta»",
    "he cambiado la contraseña de «Gato.Rojo1» a «Gato.Azul2»",
  ],
  code: [
    'api_key = "«kettleDrum42»"',
    '{"apiKey": "«kettleDrum42»", "id": 3}',
    '<add key="ApiSecret" value="«kettleDrum42»" />',
    '#define WIFI_PASS "«grandmasKitchen»"',
    "define('DB_PASSWORD', '«marbleArch»');",
    'if (pwd == "«openSesame9»") { ok(); }',
  ],
  chats: [
    "changed it from «OldBarn58» to «NewBarn59»",
    "try logging in with «kettleDrum42»",
    "when prompted type «kettleDrum42»",
    "the secret for the webhook is «kettleDrum42x»",
    "btw pw for the router: «kettleDrum42»",
    "melde dich mit ada und «Apfelbaum12» an",
    "connecte-toi avec ada et «Pommier2020»",
    "usa «Manzano2020» como contraseña",
    "a root jelszó most «Almafa2020»",
    "az API kulcs: «82msq0lvb73nd9kx»",
    "jelszóként ezt add meg: «Almafa2020»",
  ],
};

/** Where such a text stands: alone, in a message, in a quotation, in the input of a tool. */
const PLACES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `see this:\n${text}\nok?`,
  (text) => text.replace(/^/gm, "> "),
  (text) => JSON.stringify({ input: `a\n${text}\nb` }),
];

describe("values that people make up", () => {
  test.each(Object.entries(FORMS))("%s", (_, forms) => {
    const left = forms.flatMap((form) => {
      const secrets = [...form.matchAll(/«(.*?)»/g)].map(([, secret = ""]) => secret);
      const texts = PLACES.map((put) => redact(put(form.replace(/[«»]/g, ""))));
      return texts.filter((text) => secrets.some((secret) => text.includes(secret)));
    });
    expect(left).toEqual([]);
  });
});

test("accents may be written apart from their letters", () => {
  expect(redact("la contraseña es Manzano2020".normalize("NFD"))).toEndWith(" es [redacted:password]");
});

describe("names of code and messages in such places", () => {
  test.each([
    "password: newPassword2",
    "token: accessToken12",
    "see admin / users for the list",
    "| admin / Settings42Page | ok |",
    "git checkout feature/admin/Login42",
    "import x from 'admin/Dashboard42.vue' in the login flow",
    "HTTP_AUTH=oauth2",
    "S3_KEY=reports/2024/a.csv",
    "SORT_KEY=createdAt42",
    "CACHE_KEY=users-2024",
    "LOGIN=ada1984",
    "KEY: adler32sum",
    "const a = {\n  user: user,\n  password: plainWord\n}",
    "auth = { username: basic[0], password: basic[1] }",
    "ada@h1's password: denied",
    "Enter password: required",
    "NAME        VALUE\nregion      eu-west-1\npod         kiln-7d9f8b6c5d-x2x9z\ncommit      9f86d081",
    "NAME        VALUE\nid          550e8400-e29b-41d4-a716-446655440000\nversion     v1.2.3-beta4",
    "stringData:\n  url: https://kiln.test\n  name: kiln-2024",
    "SONAR: passed",
    "GITHUB: runner-image-ubuntu24",
    "changed it from Node18 to Node20",
    "changed it from Button2 to Button3",
    "logged in as deployUser2",
    "when prompted type yes",
    "la clave primaria es userId2",
    "the token is expired42 times",
    'send "ls -la\\r"',
    '"password": "mustMatchOther"',
    "the password form uses useForm42",
    "pin: 1234",
    'pin: "apt-release-stable"',
    "The PIN for the connector is number 14",
    "the pin is soldered to ground",
    "pass: first-of-two",
    "log in as the reviewer with two-factor enabled",
    "the password field is Read-Only, see Content-Type",
    "they all have to PASS color+size for it",
    "it can pass `point.Agent` on",
    "var key = Rfc2898DeriveBytes.Pbkdf2(pw, salt, iterations);",
    "minisign public key: RWTVDD8zxXmWNra734Ntp9p/uLyAVwBX3WUMoUMIRup4FlbB6zrbdERZ",
    "bisect: the password prompt appears first in fed2a994b63d5face8f9100dc129050bfdac594b",
    "see 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b for the password",
    "import {\n  exportKey,\n  importX509,\n  jwtSecret,\n  importPKCS8,\n}",
    "  | 'Proxy-Authorization'\n  | 'Set-Cookie'\n  | 'Content-Range'",
  ])("%j stays", (text) => {
    expect(redact(text)).toBe(text);
  });
});

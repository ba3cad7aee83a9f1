import { expect, test } from "bun:test";
import { redact } from "../../src/redact/redact.ts";

/** Texts in which a value stands where one is told, whatever names it, and the value. */
const PLACED: readonly (readonly [text: string, secret: string])[] = [
  ["steamcmd +login studio_bot pl0ver-Basil-31 +quit", "pl0ver-Basil-31"],
  ["tacacs server X\n address ipv4 10.0.0.4\n key Rhubarb7Ghent", "Rhubarb7Ghent"],
  ["snmp-server user nms OPS v3 auth sha Kingfisher8 priv aes 128 Zq4WmZlTcgpiBo", "Kingfisher8"],
  ["device auth: ubnt / Pistacchio#9", "Pistacchio#9"],
  ["the admin login for the board is still admin / pineapple-drum, try that", "pineapple-drum"],
  ['stop hardcoding the login, old one was "PlumJose#4" and it is still valid', "PlumJose#4"],
  ["the console of the blade takes root with walnut-ferry", "walnut-ferry"],
  ['The zip with the certificates opens with "wGkNfjroa1T5" (no quotes).', "wGkNfjroa1T5"],
  ['char[] storePin = "Lavender19".toCharArray();', "Lavender19"],
  ["left part: hogsfrOCp4qFanmX   # local authentication key", "hogsfrOCp4qFanmX"],
  ["auth=neo4j/botany-winter-4", "botany-winter-4"],
  ["it uses the shared secret marmalade+1", "marmalade+1"],
  ['dsn("Main") user(ada) password(Heritage_1959) clear', "Heritage_1959"],
  ["user: {name: actuator, password: theRegentAlways}", "theRegentAlways"],
  ["ID: ada / PW: moon_and_a_garden", "moon_and_a_garden"],
  ['const adminPW = "wilma-the-grey-cat"', "wilma-the-grey-cat"],
  ["ADMIN_TOKEN: villa-verde-mare-2023", "villa-verde-mare-2023"],
  ["securityKeys.S2 = E5AB13D14FBC498164B9663F2FCD5D3E", "E5AB13D14FBC498164B9663F2FCD5D3E"],
  ['Minha senha-mestra do cofre é "o gato subiu no telhado da casa"', "o gato subiu no telhado da casa"],
  [
    "la phrase secrète de la clé du robot : quatre cygnes dansent vers Liège",
    "quatre cygnes dansent vers Liège",
  ],
  [
    "if it asks for the passphrase of the key type green turtle umbrella and hit enter",
    "green turtle umbrella",
  ],
  ["кодовая фраза для ключа — «пять синих птиц над морем»", "пять синих птиц над морем"],
  ["mi a jelmondat a mentéshez?\n[room] 01:59 Ada: nyolc kacsa a tóparton", "nyolc kacsa a tóparton"],
  ["Пароль от тестовой базы: Воробей_2023, логин etl", "Воробей_2023"],
  ["пароль на архив витамин240, маленькими буквами", "витамин240"],
  ["vad var lösen till servern?\nlösen dna-spiral-24", "dna-spiral-24"],
  ["Belépés: admin, jelszó meg Tihany.szarvas.63, csak VPN-ről", "Tihany.szarvas.63"],
  ["暗号化キーは inuchan8383 です。", "inuchan8383"],
  ["Pinkoden till kortet är 538914, kortet ligger i skåpet.", "538914"],
  ["[duty] 02:41 Maja: vad var lösen till wega01?\n[duty] 02:42 Olle: Tulegatan4tr tror jag", "Tulegatan4tr"],
  ["what was the password of the printer?\nBob: plumHarbour42, I think", "plumHarbour42"],
  ['shell: (echo {{ p }}) | smbpasswd -s -a ada\n  vars: { p: "Vk0XbJPditZ6byp" }', "Vk0XbJPditZ6byp"],
  [
    "$ vault kv get -field=tab_passphrase kv/edge\ncinq chandelles sous la neige",
    "cinq chandelles sous la neige",
  ],
];

test.each(PLACED)("%j does not keep its secret", (text, secret) => {
  expect(redact(text)).not.toContain(secret);
});

test.each([
  'MOT_DE_PASSE="à_remplacer"',
  "line 3: VAULT_TOKEN: unbound variable",
  "cd /opt/gw && PWD=/opt/gw/releases/20250304T1811",
  "price: 'price_1OqL2fH0a9B3cD4eF5gH6iJ7', quantity: 1",
  "/data/app/~~kQ3xL9vTzR7mWpY2nB5cDg==/org.app-Hs8Jf2Lq0XaVbNcMeRtYuw==/lib/x.so",
  "Access to model meta-llama/Llama-3.1-8B is restricted. You must be authenticated",
  "Foreign key fk_invoices_customer_2019 is violated.",
  '<property name="passwordAlgorithm" value="PBKDF2WithHmacSHA512"/>',
  "[auth] session=a47b079c0e7503e4cd9e2a711b3ce664 closed",
  "Update the template to pass `all_rendered_lines` to the transcript",
  "bump the pin from openjdk-17 to openjdk-21",
  "the passphrase is kept inside memory only",
  "코드 변경이 없는 체크포인트입니다. (c6b32c68)",
])("%j stays", (text) => {
  expect(redact(text)).toBe(text);
});

import { type Finder, finder } from "./finder.ts";

/** SQL that gives a user a password. */
const SQL =
  /(?:identified\s{1,20}(?:with\s{1,20}\S{1,40}\s{1,20})?by(?:\s{1,20}password)?|password(?:\s{1,20}for\s{1,20}(?!user\b|role\b|account\b)\S{1,60})?(?!\s{1,20}for\b)\s{0,20}(?:=|\s)|set\s{1,20}password(?:\s{1,20}for\s{1,20}\S{1,60})?\s{0,20}=|encrypted\s{1,20}password|password\s{0,20}\()\s{0,20}\(?\s{0,20}N?(?:\\*'([^'\n]{1,200}?)\\*'|\\*"([^"\n]{1,200}?)\\*")/iy;
/** A password without quotes, as Oracle takes it. */
const BARE =
  /identified\s{1,20}by\s{1,20}(?=\S{0,100}\d)(?!(?:values|password|externally|globally|random)\b)([^\s'";,()]{5,100})(?=[\s;,]|$)/iy;
const CRYPT =
  /(?:crypt\(\s{0,4}|(?:en|de)cryptbypassphrase\(\s{0,4}N?|(?:pgp_sym|aes)_\w{2}crypt\([^,\n]{1,200},\s{0,4})'([^'\n]{4,200})'/iy;
const PROCEDURE =
  /sp_\w{1,20}\s{1,20}(?:null\s{0,4},\s{0,4}|[N']{1,2}[^'\n]{1,60}'\s{0,4},\s{0,4})N?'([^'\n]{5,200})'/iy;

/** Secrets in statements of SQL. */
export const SQL_FINDERS: readonly Finder[] = [
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
  finder(["identified by", "IDENTIFIED BY", "Identified by"], "password", BARE),
  finder(
    ["crypt(", "CRYPT(", "pgp_sym_", "PGP_SYM_", "aes_", "AES_", "EncryptByPass", "DecryptByPass"],
    "password",
    CRYPT,
  ),
  finder(
    ["ATTACH "],
    "password",
    /ATTACH\s(?:DATABASE\s)?'[^'\n]{1,200}'\sAS\s\w{1,40}\sKEY\s'([^'\n]{5,200})'/y,
  ),
  finder(
    ["key = '", "key='", 'key = "', "rekey = '", "rekey='"],
    "password",
    /(?<=pragma\s)(?:re)?key\s{0,4}=\s{0,4}["']{1,2}([^'"\n]{5,200})['"]/iy,
  ),
  finder(
    ["DECLARE ", "declare ", "Declare "],
    "password",
    /declare\s{1,4}@?\w{0,40}(?:pw|pwd|pass|passwd|password|secret|token|key)\w{0,10}\s{1,4}[^\n;=']{1,40}?(?::=|=|\bdefault\b)\s{0,4}[NE]?'([^'\n]{5,200})'/iy,
  ),
  finder(["sp_addlogin ", "sp_password "], "password", PROCEDURE),
];

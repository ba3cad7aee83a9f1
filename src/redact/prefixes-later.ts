/** Parts of the forms of tokens: sets of characters, and a UUID. */
export const B62 = "[A-Za-z0-9]";
export const HEX = "[0-9a-fA-F]";
export const URL = "[\\w-]";
export const B64 = "[A-Za-z0-9+/]";
export const UUID = `${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}`;

/** More tokens with a known prefix, in the form of the table in `prefixes.ts`. */
export const LATER_PREFIXES: readonly (readonly [kind: string, prefixes: string, rest: string])[] = [
  ["adobe-secret", "p8e-", `${B62}{32}(?!${B62})`],
  ["authress-key", "scauth_ authress_", "[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][\\w.+/=-]{30,}"],
  ["trello-token", "ATTA", `${HEX}{60,}`],
  ["pubnub-key", "sec-c-", `${B62}{30,}`],
  ["nylas-key", "nyk_v0_", `${B62}{40,}`],
  ["mailersend-key", "mlsn.", `${HEX}{60,}`],
  ["matrix-token", "syt_ mat_ mct_", `${URL}{20,}`],
  ["pinterest-token", "pina_", `${B62}{30,}`],
  ["ebay-key", "PRD- SBX-", `${HEX}{12}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{4}`],
  ["amazon-token", "Atza| Atzr| amzn1.oa2-cs.v1.", "[\\w+/=|-]{40,}"],
  ["amazon-key", "amzn.mws.", UUID],
  ["ory-token", "ory_at_ ory_rt_ ory_pat_ ory_apikey_", "[\\w.-]{30,}"],
  ["stytch-secret", "secret-live- secret-test-", `${URL}{30,}`],
  ["browserbase-key", "bb_live_ bb_test_", `${URL}{24,}`],
  ["llamacloud-key", "llx-", `${B62}{30,}`],
  ["anyscale-key", "esecret_", `${B62}{24,}`],
  ["trigger-key", "tr_dev_ tr_prod_ tr_stg_ tr_pat_", `${B62}{20,}`],
  ["polar-token", "polar_oat_ polar_pat_", `${B62}{30,}`],
  ["unkey-key", "unkey_", `${B62}{16,}`],
  ["cal-key", "cal_live_", `${HEX}{30,}`],
  ["honeybadger-key", "hbp_", `${B62}{30,}`],
  ["coralogix-key", "cxtp_ cxup_", `${B62}{24,}`],
  ["elastic-key", "essu_", "[\\w+/=-]{40,}"],
  ["upcloud-token", "ucat_", "[0-9A-Z]{24,}"],
  ["mongodb-secret", "mdb_sa_sk_", `${URL}{30,}`],
  ["datastax-token", "AstraCS:", `${B62}{20,}:${HEX}{40,}`],
  ["docker-join-token", "SWMTKN-1-", "[a-z0-9]{40,}-[a-z0-9]{20,}"],
  ["cursor-key", "crsr_", `${HEX}{40,}`],
  ["amp-key", "sgamp_user_", `${URL}{40,}`],
  ["context7-key", "ctx7sk-", `${HEX}{8}-[0-9a-f-]{27}`],
  ["daytona-key", "dtn_", `${HEX}{40,}`],
  ["depot-token", "depot_project_ depot_org_ depot_user_", `${HEX}{40,}`],
  ["chromatic-token", "chpt_", `${HEX}{12,}`],
  ["x-token", "AAAAAAAAAAAAAAAAAAAAA", "[\\w%]{60,}"],
  ["encrypted-token", "gAAAAAB", `${URL}{60,}={0,2}`],
  ["instagram-token", "IGQV IGAA", `${URL}{60,}`],
  ["digitalocean-password", "AVNS_", `${URL}{15,}`],
  ["k3s-token", "K10", `${HEX}{40,64}::[\\w:.-]{10,}`],
  ["zuplo-key", "zpka_", `${B62}{24,}_?${HEX}{0,16}`],
  ["langwatch-key", "sk-lw-", `${B62}{24,}`],
  ["jwt", "ZXlKaGJHY2lPaU ZXlKMGVYQWlPaU", "[A-Za-z0-9+/=]{60,}"],
];

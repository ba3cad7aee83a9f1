import { BASE62, BASE64, DIGITS, HEX, LOWER, randomText, UPPER, URL64 } from "../support/random-text.ts";

/** Alphabets by the name that formats give them. */
const ALPHABETS: Readonly<Record<string, string>> = {
  b62: BASE62,
  b64: BASE64,
  url: URL64,
  hex: HEX,
  HEX: HEX.toUpperCase(),
  dig: DIGITS,
  low: LOWER,
  UP: UPPER,
  b36: LOWER + DIGITS,
  B36: UPPER + DIGITS,
  b32: `${UPPER}234567`,
  b58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  bech: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  any: `${BASE62}!#%&*+-=?@^_~`,
  django: `${LOWER}${DIGITS}!@#$%^&*(-_=+)`,
};

/**
 * Makes values from formats: `{b62:36}` is so many random characters of an alphabet, `{uuid}` a UUID. What stands between `«` and `»` is the secret, all of it where there are none.
 * Each format has random characters of its own, so that a new one in a table changes no other.
 */
export function generator(seed: number): (format: string) => { text: string; secret: string } {
  const times = new Map<string, number>();
  return (format) => {
    const time = times.get(format) ?? 0;
    times.set(format, time + 1);
    const random = randomText(seed + Bun.hash.crc32(`${format} ${time}`));
    const marked = format.replace(PART, (whole, alphabet: string, length?: string) =>
      part(random, whole, alphabet, length),
    );
    const secret = /«([\s\S]*?)»/.exec(marked)?.[1] ?? marked;
    return { text: marked.replace(/[«»]/g, ""), secret };
  };
}

const PART = /\{(\w+)(?::(\d+))?\}/g;

function part(random: ReturnType<typeof randomText>, whole: string, alphabet: string, length = ""): string {
  if (alphabet === "uuid") return [8, 4, 4, 4, 12].map((size) => random(HEX, size)).join("-");
  const characters = ALPHABETS[alphabet];
  if (characters === undefined || length === "") return whole;
  const value = random(characters, Number(length));
  // Every real value of this length has a digit; one of twenty random ones has none.
  return /b62|b58|b36|any|url|django/i.test(alphabet) && !/\d/.test(value) ? `7${value.slice(1)}` : value;
}

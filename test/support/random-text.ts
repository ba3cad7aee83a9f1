/** Repeatable random characters, so that no real secret stands in a test and a failure can be seen again. */
export function randomText(seed: number): (alphabet: string, length: number) => string {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (alphabet, length) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
}

export const HEX = "0123456789abcdef";
export const DIGITS = "0123456789";
export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER = LOWER.toUpperCase();
export const BASE62 = LOWER + UPPER + DIGITS;
export const BASE64 = `${BASE62}+/`;
export const URL64 = `${BASE62}_-`;

/** Returns a generator of numbers in [0, 1) with a fixed seed (the minimal standard of Park and Miller). */
export function generator(): () => number {
  let state = 20_260_301;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

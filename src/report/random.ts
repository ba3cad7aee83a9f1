/** Returns a source of numbers from 0 to below 1 that is the same each time (the minimal standard of Park and Miller). */
export function generator(): () => number {
  let state = 20_260_301;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * Returns a function that makes a value at its first call and then always returns it. For values that never change and take long
 * to make.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a value that an invariant guarantees. @throws Error naming it if the invariant is broken */
export function present<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`missing ${name}`);
  return value;
}

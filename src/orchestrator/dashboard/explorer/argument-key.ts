/** Returns the key of an address on the other layer. `path`: the call or event and the argument, as `Passed.target`. */
export function farKey(path: string, address: string): string {
  return `${path} ${address.toLowerCase()}`;
}

/** Returns the key of a value in the links of a transaction. A number is a block's by its argument's name alone. */
export function argumentKey(name: string, text: string): string {
  return text.startsWith('0x') ? text.toLowerCase() : `${name} ${text}`;
}

/** Returns the key of a value in the links of a transaction. A number is a block's by its argument's name alone. */
export function argumentKey(name: string, text: string): string {
  return text.startsWith('0x') ? text.toLowerCase() : `${name} ${text}`;
}

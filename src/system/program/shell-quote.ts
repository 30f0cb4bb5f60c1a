/** Quotes a word if a POSIX shell would not read it back unchanged. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuote(word);
}

/** Quotes a word for a POSIX shell. */
export function singleQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

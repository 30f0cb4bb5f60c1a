/** Returns whether a path or case name has the text of FILTER in it. `*` stands for any text, `?` for one character. */
export function filterOf(text: string): (name: string) => boolean {
  const escaped = text.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  const pattern = new RegExp(escaped.replaceAll('*', '.*').replaceAll('?', '.'), 's');
  return (name) => pattern.test(name);
}

/** Names nodes of a chain in messages, as commands take them: `main/late, main/other`. */
export function nodeNames(chain: string, nodes: readonly string[]): string {
  return nodes.map((node) => `${chain}/${node}`).join(', ');
}

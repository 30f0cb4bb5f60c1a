/** Returns the comment at the head of a Compose file, for readers that have this folder alone. */
export function composeHead(devnet: string): string {
  return [
    `# The network "${devnet}", exported by rollup-devnet.`,
    '#   docker compose up -d --wait      starts it, and returns when all of it is ready',
    '#   docker compose logs -f l1        shows what a process writes',
    '#   docker compose stop              keeps all data; `up` goes on where it was',
    '#   docker compose down -v           removes it with its data',
    '# Its time is the wall clock. Each service plans the network from devnet/ and writes its own files.',
    '',
  ].join('\n');
}

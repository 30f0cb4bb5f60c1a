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

/** Returns the comment at the head of a stack file. */
export function stackHead(devnet: string): string {
  const stack = `devnet-${devnet}`;
  return [
    `# The network "${devnet}" for a Docker Swarm, exported by rollup-devnet.`,
    `#   docker stack deploy -c stack.yaml ${stack}    starts it, or brings a running one to this state`,
    `#   docker stack ps ${stack} --no-trunc           shows where each process runs, and why one does not`,
    `#   docker stack rm ${stack}                      removes it without its volumes`,
    '# `devnet attach --context NAME` watches it; tunnel.yaml leads ports of one machine to it.',
    '# Each machine needs the image.',
    '',
  ].join('\n');
}

/** Returns the comment at the head of the Compose file of a tunnel. */
export function tunnelHead(devnet: string): string {
  return [
    `# Leads ports of this machine's loopback to the stack of "${devnet}": for \`devnet attach attach.yaml\`.`,
    '#   docker compose -p tunnel -f tunnel.yaml up -d    on a manager of the swarm',
    '#   docker compose -p tunnel -f tunnel.yaml down     before `docker stack rm`',
    '',
  ].join('\n');
}

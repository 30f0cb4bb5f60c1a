/** A client that posts to L1, with each key of a pace. */
export const ownPoster = (kind: 'batcher' | 'proposer'): string => `
kind: ${kind}
implementation: mine
runs: { process: mine }
ports: { admin: tcp }
clock: none
args:
  key: \${${kind}.keyFile}
  blocks: 3
  every: 1m
  safe: true
env: { KEY: "\${${kind}.key}" }
needs: { l1: ready, beacon: spawned, el: ready, cl: spawned }
pace: { l1Blocks: blocks, every: every, atLeast: 10s, safeWith: safe }
ready: []
stop: { grace: 1s }
`;

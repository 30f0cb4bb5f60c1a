/** An execution client that uses each key of a template. */
export const OWN_EL = `
kind: el
implementation: mine
engineKind: reth
engineWs: true
runs: { process: "/bin/\${devnet}-el", docker: { image: own:1, program: /own } }
version: [--version, "\${devnet}"]
booleans: bare
ports:
  http: tcp
  engine: tcp
  ws: { with: ws }
  p2p: { transport: udp, offset: 40, without: quiet }
command: [node, "\${node.name}"]
args:
  chain: \${chain.genesis}
  datadir: \${data}
  http: \${host}:\${port.http}
  p2p: \${port.p2p}
  jwt: \${node.jwt}
  peers: \${node.elPeers}
  on: true
  off: false
  level: 3
  ws: false
env: { NAME: "\${task}", EMPTY: "\${host.name}" }
sequencer: { args: { seq: "yes" }, env: { ROLE: sequencer } }
verifier: { args: { from: "\${sequencer.http}", level: 5 }, env: { ROLE: verifier, NAME: v } }
prepare:
  - { command: [init], args: { datadir: "\${data}", bare: true }, operands: ["\${chain.genesis}"] }
  - { command: [check] }
rewind: { command: [rewind], args: { datadir: "\${data}" } }
resume: { file: "\${dir}/state", args: { chain: null, load: "\${chain.rollup}" } }
needs: { l1: spawned, cl: ready }
forks: { override: { flag: "override.*" } }
clock: network
harmless: [noise]
polls: { l1Head: 2s }
ready:
  - rpc: "http://\${host}:\${port.http}"
    method: m
    params: ["\${chain.id}", ["\${host.name}", null], { a: "\${task}" }]
  - { tcp: ws }
  - { tcp: engine }
live: [{ log: up }]
stop: { signal: SIGINT, again: 1s, grace: 3s }
`;

import { CLIENT_KINDS, type ClientKind } from '../spec/resolve/client.ts';

interface ReferenceRule {
  readonly kinds: readonly ClientKind[];
  /** Its value, for the page about templates. */
  readonly description: string;
  /** Its value is kept out of command lines and printed plans. */
  readonly secret?: true;
}

const all = CLIENT_KINDS;
const chain: readonly ClientKind[] = ['el', 'cl', 'batcher', 'proposer', 'challenger'];
const node: readonly ClientKind[] = ['el', 'cl'];

/** Everything that a template may refer to, beside `port.<name>` of its own ports. A closed set. */
export const REFERENCES = {
  devnet: { kinds: all, description: "the devnet's name" },
  task: { kinds: all, description: "the process's name, as `devnet status` prints it" },
  dir: { kinds: all, description: "the process's own folder" },
  data: { kinds: all, description: 'its data folder' },
  cache: { kinds: all, description: 'folder that devnets share for what is computed once' },
  clock: { kinds: all, description: "file of the network's clock" },
  host: { kinds: all, description: 'address to listen at' },
  'host.name': {
    kinds: all,
    description: 'name by which other machines call it, in an exported network; absent on one machine',
  },
  'program.anvil': { kinds: ['l1'], description: 'path of anvil' },
  'time.order': {
    kinds: all,
    description: '`sender` on a stepped clock, where transactions have a fixed order; else absent',
  },
  'otel.endpoint': {
    kinds: all,
    description: 'the collector of traces (`otel` of the spec), for a client with traces of its own; absent without it',
  },
  'genesis.time': { kinds: all, description: 'genesis of L1 and L2, Unix seconds' },
  'l1.chainId': { kinds: all, description: "L1's chain id, decimal" },
  'l1.chainIdHex': { kinds: all, description: "L1's chain id, hex" },
  'l1.blockTime': { kinds: all, description: 'seconds between L1 blocks' },
  'l1.hardfork': { kinds: all, description: 'Ethereum fork of L1, as anvil spells it' },
  'l1.gasLimit': { kinds: all, description: 'gas limit of an L1 block' },
  'l1.slotsInAnEpoch': { kinds: all, description: 'L1 blocks of an epoch' },
  'l1.state': {
    kinds: ['l1', 'beacon'],
    description: 'file: the state of L1 as its beacon kept it; absent on disk before that',
  },
  'l1.genesis': { kinds: all, description: "file: L1's genesis" },
  'l1.genesisHash': { kinds: all, description: "hash of L1's block 0" },
  'l1.engine': {
    kinds: ['l1', 'beacon'],
    description: "URL of L1's Engine API; absent if its template has no port `engine`",
  },
  'l1.jwt': {
    kinds: ['l1', 'beacon'],
    description: 'file: the secret of the Engine API of L1; absent if that is absent',
  },
  'l1.keys': {
    kinds: ['beacon'],
    description: 'file: the private keys of the funded accounts and of the roles; absent if L1 has no Engine API',
  },
  'l1.engineConfig': {
    kinds: ['beacon'],
    description: 'file: the same as `l1.chainConfig`; absent if L1 has no Engine API',
  },
  'l1.consensusConfig': {
    kinds: ['l1', 'beacon'],
    description:
      'file: forks and blobs of the beacon chain, as its configuration has them (`FULU_FORK_EPOCH`, ' +
      '`BLOB_SCHEDULE`); absent if the template of the beacon API has no `slotsPerEpoch`',
  },
  'l1.chainConfig': { kinds: all, description: 'file: the `config` of the L1 genesis alone, which is written sooner' },
  'l1.http': { kinds: all, description: "L1's JSON-RPC by HTTP" },
  'l1.ws': { kinds: all, description: "L1's JSON-RPC by WebSocket" },
  'l1.beacon': { kinds: all, description: "L1's beacon API" },
  'l1.systemConfig': { kinds: ['l1', 'beacon'], description: "address of the first chain's system config on L1" },
  'l1.unsafeBlockSigner': {
    kinds: ['l1', 'beacon'],
    description: 'the signer that its storage holds, as a 32-byte word',
  },
  'chain.name': { kinds: chain, description: "the chain's name" },
  'chain.id': { kinds: chain, description: 'its chain id, decimal' },
  'chain.idHex': { kinds: chain, description: 'its chain id, hex' },
  'chain.blockTime': { kinds: [...chain, 'conductor'], description: 'seconds between L2 blocks' },
  'chain.genesis': {
    kinds: chain,
    description: 'file: genesis.json; a node with fork times of its own may get its own',
  },
  'chain.genesisHash': { kinds: chain, description: 'hash of the L2 genesis block' },
  'chain.rollup': { kinds: [...chain, 'conductor'], description: 'file: rollup.json' },
  'chain.bundles': {
    kinds: chain,
    description: 'folder of upgrade bundles; absent if no fork activates after genesis',
  },
  'contract.systemConfig': { kinds: chain, description: 'address on L1' },
  'contract.portal': { kinds: chain, description: 'address on L1' },
  'contract.outputOracle': { kinds: chain, description: 'address on L1; absent if outputs are dispute games' },
  'contract.disputeGameFactory': { kinds: chain, description: 'address on L1; absent if outputs go to an oracle' },
  'sequencer.http': { kinds: chain, description: "JSON-RPC of the sequencer's execution client by HTTP" },
  'sequencer.ws': {
    kinds: chain,
    description: 'the same by WebSocket; absent if its execution client has no port `ws`',
  },
  'sequencer.rpc': { kinds: chain, description: "JSON-RPC of the sequencer's rollup node" },
  'sequencer.key': { kinds: ['cl'], secret: true, description: 'key that signs gossip; absent on verifiers' },
  'sequencer.keyFile': { kinds: ['cl'], description: 'file: the same key; absent on verifiers' },
  'signer.rpc': {
    kinds: ['cl'],
    description: 'JSON-RPC of the signer of its blocks (`signer` of the chain); absent on verifiers and without one',
  },
  'signer.address': { kinds: ['cl'], description: 'address that it signs as; absent if `signer.rpc` is' },
  'signer.tls': { kinds: ['cl'], description: 'whether it is called by TLS: false; absent if `signer.rpc` is' },
  'node.adminState': {
    kinds: ['cl'],
    description: 'file that keeps whether it sequences; absent on sequencers with a conductor',
  },
  'conductor.enabled': { kinds: node, description: 'true on sequencers with `conductor` of the chain, else absent' },
  'conductor.rpc': { kinds: ['cl'], description: 'JSON-RPC of the conductor of this sequencer; absent without one' },
  'conductor.forward': {
    kinds: ['el'],
    description: 'JSON-RPC that passes transactions on to the sequencer that leads; absent without a conductor',
  },
  'conductor.members': {
    kinds: ['conductor'],
    description:
      'the sequencers: NAME=URL=URL of rollup node and execution client, separated by commas; with op-conductors ' +
      '=URL=HOST:PORT of these, too',
  },
  'member.name': {
    kinds: ['conductor'],
    description: 'the sequencer that it leads; a template with `member.rpc` runs once for each sequencer of the set',
  },
  'member.rpc': { kinds: ['conductor'], description: 'JSON-RPC of the rollup node of that sequencer' },
  'member.http': { kinds: ['conductor'], description: 'JSON-RPC of its execution client by HTTP' },
  'member.first': { kinds: ['conductor'], description: 'true on the first sequencer of the set, else absent' },
  'altDa.enabled': {
    kinds: ['cl', 'batcher'],
    description: 'true with a DA server (`altDa` of the chain), else absent',
  },
  'altDa.server': { kinds: ['cl', 'batcher'], description: 'HTTP address of the DA server; absent without one' },
  'altDa.service': {
    kinds: ['cl', 'batcher'],
    description: 'whether the DA server makes the commitments (generic ones): true; absent without one',
  },
  'signer.keyFile': { kinds: ['signer'], description: 'file: the key that signs gossip' },
  'node.name': { kinds: node, description: "the node's name" },
  'node.jwt': { kinds: node, description: 'file: the secret that its two processes share' },
  'node.peers': {
    kinds: ['cl'],
    description: 'multiaddrs of the static peers, by commas; absent if there are none',
  },
  'node.elPeers': {
    kinds: ['el'],
    description: "HTTP JSON-RPC of the static peers' execution clients, by commas; absent if there are none",
  },
  'node.follow': {
    kinds: ['cl'],
    description: 'JSON-RPC of the rollup node that it follows (`cl.follow`); absent if it derives its chain',
  },
  'node.p2pKey': { kinds: ['cl'], description: 'file: the key of its peer id' },
  'node.p2pHost': {
    kinds: ['cl'],
    description: 'address that it announces to its peers in place of its own; absent without `faults: true`',
  },
  'node.p2pPort': { kinds: ['cl'], description: 'the TCP port of that address' },
  'node.p2pUdpPort': { kinds: ['cl'], description: 'its UDP port, for discovery' },
  'node.peerId': { kinds: ['cl'], description: 'its peer id' },
  'el.engine': { kinds: ['cl'], description: 'URL of its Engine API' },
  'el.engineWs': {
    kinds: ['cl'],
    description: 'the same by WebSocket if its template has `engineWs`, else as `${el.engine}`',
  },
  'el.engineKind': { kinds: ['cl'], description: '`engineKind` of its execution client' },
  'el.http': { kinds: ['cl'], description: 'JSON-RPC of its execution client by HTTP' },
  'batcher.da': { kinds: ['batcher'], description: 'calldata or blobs' },
  'batcher.batchType': { kinds: ['batcher'], description: '0: singular batches, 1: span batches' },
  'batcher.keyFile': { kinds: ['batcher'], description: 'file: its private key' },
  'batcher.key': { kinds: ['batcher'], secret: true, description: 'its private key' },
  'proposer.gameInterval': {
    kinds: ['proposer'],
    description: 'time between two dispute games; absent if outputs go to an oracle',
  },
  'proposer.gameType': {
    kinds: ['proposer'],
    description: 'type of the dispute games; absent if outputs go to an oracle',
  },
  'proposer.keyFile': { kinds: ['proposer'], description: 'file: its private key' },
  'proposer.key': { kinds: ['proposer'], secret: true, description: 'its private key' },
  'challenger.gameType': { kinds: ['challenger'], description: 'type of the dispute games that it watches' },
  'challenger.keyFile': { kinds: ['challenger'], description: 'file: its private key' },
  'challenger.key': { kinds: ['challenger'], secret: true, description: 'its private key' },
} as const satisfies Readonly<Record<string, ReferenceRule>>;

/** Name of a reference that every template of a kind may make. */
export type Reference = keyof typeof REFERENCES;

/** The references below a name: `l1` has `l1.chainId` and others. */
export type ReferencesOf<Name extends string> = Extract<Reference, `${Name}.${string}`>;

/** Value of a reference; undefined: absent in this network. */
export type Value = string | number | boolean | undefined;

/** Values of these references, complete. */
export type ValuesOf<Names extends Reference> = Readonly<Record<Names, Value>>;

/** Values of references, also of the ports of a task. */
export type Values = Partial<ValuesOf<Reference>> & { readonly [port: `port.${string}`]: Value };

/** Whether the table has a reference, beside ports. */
export function isReference(name: string): name is Reference {
  return Object.hasOwn(REFERENCES, name);
}

/** Lists the references that a client of a kind may make. */
export function referencesFor(kind: ClientKind, ports: readonly string[]): readonly string[] {
  const names = Object.entries<ReferenceRule>(REFERENCES).flatMap(([name, { kinds }]) =>
    kinds.includes(kind) ? [name] : [],
  );
  return [...names, ...ports.map((port) => `port.${port}`)];
}

const SECRETS = new Set(
  Object.entries<ReferenceRule>(REFERENCES).flatMap(([name, { secret }]) => (secret === true ? [name] : [])),
);

/** Tells whether a reference's value is a secret. */
export function isSecret(reference: string): boolean {
  return SECRETS.has(reference);
}

/** Names the key to use instead of an argument with this reference. Undefined: the user may set the argument. */
export function insteadOf(reference: string): string | undefined {
  if (reference.startsWith('port.')) return `ports: { ${reference.slice(5)}: … }`;
  const reasons: Readonly<Record<string, string>> = {
    'node.jwt': 'nothing: the secret derives from the seed',
    'l1.jwt': 'nothing: the secret derives from the seed',
    'l1.keys': 'nothing: the keys are those of `devnet accounts`',
    'node.follow': 'cl: { follow: NODE }',
    'node.p2pKey': 'nothing: the key derives from the seed',
    data: 'nothing: data lives in the devnet’s folder',
    clock: 'nothing: the network has one clock',
    task: 'nothing: the name of a process derives from its place in the spec',
  };
  return reasons[reference];
}

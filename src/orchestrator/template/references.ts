import type { ClientKind } from '../spec/client.ts';

interface ReferenceRule {
  readonly kinds: readonly ClientKind[];
  /** Its value, for the page about templates. */
  readonly says: string;
  /** Its value is kept out of command lines and printed plans. */
  readonly secret?: true;
}

const all: readonly ClientKind[] = ['l1', 'beacon', 'el', 'cl', 'batcher', 'proposer'];
const chain: readonly ClientKind[] = ['el', 'cl', 'batcher', 'proposer'];
const node: readonly ClientKind[] = ['el', 'cl'];

/** Everything that a template may refer to, beside `port.<name>` of its own ports. A closed set. */
export const REFERENCES = {
  devnet: { kinds: all, says: "the devnet's name" },
  dir: { kinds: all, says: "the process's own folder" },
  data: { kinds: all, says: 'its data folder' },
  cache: { kinds: all, says: 'folder that devnets share for what is computed once' },
  clock: { kinds: all, says: "file of the network's clock" },
  host: { kinds: all, says: 'address to listen at' },
  'program.anvil': { kinds: ['l1'], says: 'path of anvil' },
  'genesis.time': { kinds: all, says: 'genesis of L1 and L2, Unix seconds' },
  'l1.chainId': { kinds: all, says: "L1's chain id, decimal" },
  'l1.chainIdHex': { kinds: all, says: "L1's chain id, hex" },
  'l1.blockTime': { kinds: all, says: 'seconds between L1 blocks' },
  'l1.hardfork': { kinds: all, says: 'Ethereum fork of L1, as anvil spells it' },
  'l1.slotsInAnEpoch': { kinds: all, says: 'L1 blocks of an epoch' },
  'l1.genesis': { kinds: all, says: "file: L1's genesis" },
  'l1.chainConfig': { kinds: all, says: 'file: the `config` of the L1 genesis alone, which is written sooner' },
  'l1.http': { kinds: all, says: "L1's JSON-RPC by HTTP" },
  'l1.ws': { kinds: all, says: "L1's JSON-RPC by WebSocket" },
  'l1.beacon': { kinds: all, says: "L1's beacon API" },
  'l1.systemConfig': { kinds: ['l1', 'beacon'], says: "address of the first chain's system config on L1" },
  'l1.unsafeBlockSigner': { kinds: ['l1', 'beacon'], says: 'the signer that its storage holds, as a 32-byte word' },
  'chain.name': { kinds: chain, says: "the chain's name" },
  'chain.id': { kinds: chain, says: 'its chain id, decimal' },
  'chain.idHex': { kinds: chain, says: 'its chain id, hex' },
  'chain.blockTime': { kinds: chain, says: 'seconds between L2 blocks' },
  'chain.genesis': { kinds: chain, says: 'file: genesis.json; a node with fork times of its own may get its own' },
  'chain.genesisHash': { kinds: chain, says: 'hash of the L2 genesis block' },
  'chain.rollup': { kinds: chain, says: 'file: rollup.json' },
  'chain.bundles': { kinds: chain, says: 'folder of upgrade bundles; absent where no fork activates after genesis' },
  'contract.systemConfig': { kinds: chain, says: 'address on L1' },
  'contract.portal': { kinds: chain, says: 'address on L1' },
  'contract.outputOracle': { kinds: chain, says: 'address on L1; absent where outputs are dispute games' },
  'contract.disputeGameFactory': { kinds: chain, says: 'address on L1; absent where outputs go to an oracle' },
  'sequencer.http': { kinds: chain, says: "JSON-RPC of the sequencer's execution client by HTTP" },
  'sequencer.ws': { kinds: chain, says: 'the same by WebSocket' },
  'sequencer.rpc': { kinds: chain, says: "JSON-RPC of the sequencer's rollup node" },
  'sequencer.key': { kinds: ['cl'], secret: true, says: 'key that signs gossip; absent on verifiers' },
  'node.name': { kinds: node, says: "the node's name" },
  'node.jwt': { kinds: node, says: 'file: the secret that its two processes share' },
  'node.peers': { kinds: ['cl'], says: 'multiaddrs of the static peers, by commas; absent where there are none' },
  'node.elPeers': {
    kinds: ['el'],
    says: "HTTP JSON-RPC of the static peers' execution clients, by commas; absent where there are none",
  },
  'node.p2pKey': { kinds: ['cl'], says: 'file: the key of its peer id' },
  'node.peerId': { kinds: ['cl'], says: 'its peer id' },
  'el.engine': { kinds: ['cl'], says: 'URL of its Engine API' },
  'el.engineKind': { kinds: ['cl'], says: '`engineKind` of its execution client' },
  'el.http': { kinds: ['cl'], says: 'JSON-RPC of its execution client by HTTP' },
  'batcher.da': { kinds: ['batcher'], says: 'calldata or blobs' },
  'batcher.batchType': { kinds: ['batcher'], says: '0: singular batches, 1: span batches' },
  'batcher.keyFile': { kinds: ['batcher'], says: 'file: its private key' },
  'batcher.key': { kinds: ['batcher'], secret: true, says: 'its private key' },
  'proposer.gameInterval': {
    kinds: ['proposer'],
    says: 'time between two dispute games; absent where outputs go to an oracle',
  },
  'proposer.gameType': { kinds: ['proposer'], says: 'type of the dispute games; absent where outputs go to an oracle' },
  'proposer.keyFile': { kinds: ['proposer'], says: 'file: its private key' },
  'proposer.key': { kinds: ['proposer'], secret: true, says: 'its private key' },
} as const satisfies Readonly<Record<string, ReferenceRule>>;

type ReferenceName = keyof typeof REFERENCES;

/** The references that a client of a kind may make. */
export function referencesFor(kind: ClientKind, ports: readonly string[]): readonly string[] {
  const names = (Object.keys(REFERENCES) as ReferenceName[]).filter((name) =>
    (REFERENCES[name].kinds as readonly string[]).includes(kind),
  );
  return [...names, ...ports.map((port) => `port.${port}`)];
}

/** Whether a reference's value is a secret. */
export function isSecret(reference: string): boolean {
  const rule: ReferenceRule | undefined = (REFERENCES as Readonly<Record<string, ReferenceRule>>)[reference];
  return rule?.secret === true;
}

/** What to use in a spec instead of an argument that carries this reference, or undefined where the argument is the user's to set. */
export function insteadOf(reference: string): string | undefined {
  if (reference.startsWith('port.')) return `ports: { ${reference.slice(5)}: … }`;
  const reasons: Readonly<Record<string, string>> = {
    'node.jwt': 'nothing: the secret derives from the seed',
    'node.p2pKey': 'nothing: the key derives from the seed',
    data: 'nothing: data lives in the devnet’s folder',
    clock: 'nothing: the network has one clock',
  };
  return reasons[reference];
}

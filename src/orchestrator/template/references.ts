import type { ClientKind } from '../spec/client.ts';

interface ReferenceRule {
  readonly kinds: readonly ClientKind[];
  /** Its value is kept out of command lines and printed plans. */
  readonly secret?: true;
}

const all: readonly ClientKind[] = ['l1', 'beacon', 'el', 'cl', 'batcher', 'proposer'];
const chain: readonly ClientKind[] = ['el', 'cl', 'batcher', 'proposer'];
const node: readonly ClientKind[] = ['el', 'cl'];

/** Everything that a template may refer to, beside `port.<name>` of its own ports. A closed set. */
const REFERENCES = {
  /** The devnet's name. */
  devnet: { kinds: all },
  /** The task's folder, its data folder, the folder of what is computed once. */
  dir: { kinds: all },
  data: { kinds: all },
  cache: { kinds: all },
  /** File of the network's clock. */
  clock: { kinds: all },
  /** Address to listen at. */
  host: { kinds: all },
  /** Path of anvil. */
  'program.anvil': { kinds: ['l1'] },
  /** Unix seconds. */
  'genesis.time': { kinds: all },
  'l1.chainId': { kinds: all },
  'l1.chainIdHex': { kinds: all },
  /** Seconds. */
  'l1.blockTime': { kinds: all },
  /** Ethereum fork of the L1, as anvil spells it. */
  'l1.hardfork': { kinds: all },
  'l1.slotsInAnEpoch': { kinds: all },
  /** Genesis file. */
  'l1.genesis': { kinds: all },
  /** The `config` of the genesis file by itself: who needs no more than that need not wait for the state to be written. */
  'l1.chainConfig': { kinds: all },
  'l1.http': { kinds: all },
  'l1.ws': { kinds: all },
  /** URL of the beacon API. */
  'l1.beacon': { kinds: all },
  /** Address of a chain's system config and the signer that its storage holds, as a 32-byte word: the L1's identity. */
  'l1.systemConfig': { kinds: ['l1', 'beacon'] },
  'l1.unsafeBlockSigner': { kinds: ['l1', 'beacon'] },
  'chain.name': { kinds: chain },
  'chain.id': { kinds: chain },
  'chain.idHex': { kinds: chain },
  /** Seconds. */
  'chain.blockTime': { kinds: chain },
  /** Genesis file; a node with times of its own may have one of its own. */
  'chain.genesis': { kinds: chain },
  'chain.genesisHash': { kinds: chain },
  /** rollup.json */
  'chain.rollup': { kinds: chain },
  /** Folder of upgrade bundles; absent where no fork activates after genesis. */
  'chain.bundles': { kinds: chain },
  'contract.systemConfig': { kinds: chain },
  'contract.portal': { kinds: chain },
  /** Absent where outputs are dispute games. */
  'contract.outputOracle': { kinds: chain },
  /** Absent where outputs go to an oracle. */
  'contract.disputeGameFactory': { kinds: chain },
  'sequencer.http': { kinds: chain },
  'sequencer.ws': { kinds: chain },
  'sequencer.rpc': { kinds: chain },
  /** Key that signs gossip; absent on verifiers. */
  'sequencer.key': { kinds: ['cl'], secret: true },
  'node.name': { kinds: node },
  /** File of the secret that a node's two processes share. */
  'node.jwt': { kinds: node },
  /** Multiaddrs of the static peers, by commas; absent where there are none. */
  'node.peers': { kinds: ['cl'] },
  /** HTTP RPC of the execution clients of the static peers, by commas; absent where there are none. */
  'node.elPeers': { kinds: ['el'] },
  /** File of the key of its peer id. */
  'node.p2pKey': { kinds: ['cl'] },
  'node.peerId': { kinds: ['cl'] },
  /** URL of the authenticated endpoint. */
  'el.engine': { kinds: ['cl'] },
  'el.engineKind': { kinds: ['cl'] },
  'el.http': { kinds: ['cl'] },
  'batcher.da': { kinds: ['batcher'] },
  /** 0: singular batches, 1: span batches. */
  'batcher.batchType': { kinds: ['batcher'] },
  'batcher.keyFile': { kinds: ['batcher'] },
  'batcher.key': { kinds: ['batcher'], secret: true },
  /** Time between two dispute games, and their type; absent where outputs go to an oracle. */
  'proposer.gameInterval': { kinds: ['proposer'] },
  'proposer.gameType': { kinds: ['proposer'] },
  'proposer.keyFile': { kinds: ['proposer'] },
  'proposer.key': { kinds: ['proposer'], secret: true },
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

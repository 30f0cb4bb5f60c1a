import * as z from 'zod/mini';
import { L1_HARDFORKS } from '../../protocol/genesis/inputs.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Json } from '../spec/schema/json.ts';
import { cl, el, shorthand } from '../spec/schema/process.ts';
import { choice, key, name, text, url, whole, withDescription } from '../spec/schema/words.ts';

/** Hex data of a fixed length. */
const hex = (bytes: number) =>
  z.custom<Hex>(
    (value) => typeof value === 'string' && new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`).test(value),
    `0x and ${bytes * 2} hex digits`,
  );
const address = hex(20);

const remoteKeys = {
  role: z._default(withDescription(choice('sequencer', 'verifier'), 'what the node does for its chain'), 'verifier'),
  el: z.strictObject({
    http: withDescription(url('http|https'), 'JSON-RPC of its execution client'),
    ws: key(url('ws|wss'), 'the same by WebSocket'),
  }),
  cl: z.strictObject({
    rpc: withDescription(url('http|https'), 'JSON-RPC of its rollup node'),
    p2p: key(text, 'its multiaddress with peer id, by which nodes that join receive blocks by gossip'),
  }),
};
const remote = z.strictObject(remoteKeys);

/** Processes of a node that this machine starts. Their keys are those of a spec. */
const join = z.strictObject({
  el: key(
    shorthand(el, (client) => (client === undefined ? {} : { client })),
    'its execution client, as in a spec',
  ),
  cl: key(
    shorthand(cl, (client) => ({ client })),
    'its rollup node, as in a spec',
  ),
});

const joining = z.strictObject({
  join: withDescription(z.union([join, z.null()]), 'a verifier that this machine starts'),
});

const node = z.union([joining, remote]);

const genesis = key(text, 'path of its genesis file, for nodes that join');

const exported = key(
  z.strictObject({
    network: withDescription(text, 'path of its folder devnet'),
    secrets: withDescription(text, 'path of its file of secrets'),
  }),
  'the export that the network runs, which gives the genesis of its chains',
);

const poster = z.strictObject({ rpc: withDescription(url('http|https'), 'its JSON-RPC') });

const chain = z.strictObject({
  chainId: key(whole(1, Number.MAX_SAFE_INTEGER), 'the chain id that the nodes must have; absent: what they say'),
  genesisHash: key(hex(32), 'the hash of block 0 that the nodes must have; absent: what the first one says'),
  genesis,
  nodes: withDescription(z.record(name, node), 'nodes by name'),
  batcher: key(poster, 'the batcher'),
  proposer: key(poster, 'the proposer'),
  challenger: key(poster, 'the challenger'),
  conductor: key(poster, 'the conductor that leads its sequencers, three or more'),
  contracts: z._default(
    withDescription(z.record(text, address), 'contracts on L1 by name, beside those that the rollup config names'),
    {},
  ),
  accounts: z._default(
    withDescription(
      z.array(
        z.strictObject({
          address,
          privateKey: key(hex(32), 'its key, for `load` and its kin'),
        }),
      ),
      'accounts that commands may use',
    ),
    [],
  ),
});

/** The shape of a file that names a network which runs elsewhere. */
export const attachSchema = z.strictObject({
  name: withDescription(name, 'the name by which commands find it'),
  l1: z.strictObject({
    rpc: withDescription(url('http|https'), 'JSON-RPC of L1'),
    ws: key(url('ws|wss'), 'the same by WebSocket'),
    beacon: key(url('http|https'), 'its beacon API'),
    chainId: key(whole(1, Number.MAX_SAFE_INTEGER), 'the chain id that L1 must have; absent: what it says'),
    hardfork: z._default(withDescription(choice(...L1_HARDFORKS), 'its Ethereum fork, for nodes that join'), 'prague'),
  }),
  export: exported,
  chains: withDescription(z.record(name, chain), 'rollups by name'),
});

/** The shape of a file whose nodes join a network that an engine runs: the engine knows all else. */
export const joinsSchema = z.strictObject({
  export: exported,
  chains: withDescription(
    z.record(name, z.strictObject({ genesis, nodes: withDescription(z.record(name, joining), 'nodes by name') })),
    'rollups by name',
  ),
});

type Shape = z.output<typeof attachSchema>;

/** A node that runs elsewhere. */
export type RemoteNode = z.output<typeof remote>;

/** A chain of an attached network: the nodes that run elsewhere, and the processes of those that join it. */
export interface AttachedChain extends Omit<Shape['chains'][string], 'nodes'> {
  readonly nodes: Readonly<Record<string, RemoteNode>>;
  /** By node: its `el` and `cl` as a spec has them. */
  readonly joins: Readonly<Record<string, Json>>;
}

/** A network that runs elsewhere, as its file names it. */
export interface AttachFile extends Omit<Shape, 'chains'> {
  /** Absolute path of the file, for messages. */
  readonly path: string;
  readonly chains: Readonly<Record<string, AttachedChain>>;
}

/** Nodes of this machine that join a network on an engine, as their file names them. */
export interface JoinsFile extends Pick<AttachFile, 'path' | 'export'> {
  readonly chains: Readonly<Record<string, Pick<AttachedChain, 'joins' | 'genesis'>>>;
}

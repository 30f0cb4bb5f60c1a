import * as z from 'zod/mini';
import type { Hex } from '../../protocol/types.ts';
import { choice, key, name, text, url, whole, withDescription } from '../spec/schema/words.ts';

/** Hex data of a fixed length. */
const hex = (bytes: number) =>
  z.custom<Hex>(
    (value) => typeof value === 'string' && new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`).test(value),
    `0x and ${bytes * 2} hex digits`,
  );
const address = hex(20);

const node = z.strictObject({
  role: z._default(withDescription(choice('sequencer', 'verifier'), 'what the node does for its chain'), 'verifier'),
  el: z.strictObject({
    http: withDescription(url('http|https'), 'JSON-RPC of its execution client'),
    ws: key(url('ws|wss'), 'the same by WebSocket'),
  }),
  cl: z.strictObject({ rpc: withDescription(url('http|https'), 'JSON-RPC of its rollup node') }),
});

const poster = z.strictObject({ rpc: withDescription(url('http|https'), 'its JSON-RPC') });

const chain = z.strictObject({
  chainId: key(whole(1, Number.MAX_SAFE_INTEGER), 'the chain id that the nodes must have; absent: what they say'),
  genesisHash: key(hex(32), 'the hash of block 0 that the nodes must have; absent: what the first one says'),
  nodes: withDescription(z.record(name, node), 'nodes by name'),
  batcher: key(poster, 'the batcher'),
  proposer: key(poster, 'the proposer'),
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
  }),
  chains: withDescription(z.record(name, chain), 'rollups by name'),
});

/** A network that runs elsewhere, as its file names it. */
export type AttachFile = z.output<typeof attachSchema>;
export type AttachedChain = AttachFile['chains'][string];

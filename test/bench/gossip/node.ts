import { randomBytes } from 'node:crypto';
import { blockOf, rollupAt, signer } from '../../nodes/gossip/blocks.ts';
import { startPeer } from '../../nodes/gossip/support.ts';

/**
 * Runs one peer network in a process of its own, controlled by messages of its parent.
 * Each message gets one answer: `start` with static peers, `publish` with a height and a number of transactions,
 * `usage`. The time at which it published or received each block goes out with `usage` only, because a message for each
 * block would change the measurement.
 */
export type Order =
  | { readonly do: 'start'; readonly name: string; readonly genesisTime: number; readonly peers: string[] }
  | { readonly do: 'publish'; readonly number: number; readonly transactions: number }
  | { readonly do: 'usage' };

export interface Answer {
  readonly address: string;
  /** Milliseconds by block number: just before this node published it, or after its validation. */
  readonly times: Readonly<Record<number, number>>;
  readonly hashes: Readonly<Record<number, string>>;
  readonly cpuMs: number;
  readonly rss: number;
  readonly blocksTopicV4: number;
  readonly banned: number;
}

const now = () => performance.timeOrigin + performance.now();
const times: Record<number, number> = {};
const hashes: Record<number, string> = {};
let node: Awaited<ReturnType<typeof startPeer>> | undefined;
let rollup: ReturnType<typeof rollupAt>;

async function start(name: string, genesisTime: number, peers: string[]): Promise<void> {
  rollup = rollupAt(genesisTime);
  node = await startPeer(name, rollup, {
    staticPeers: peers,
    onBlock({ executionPayload: { blockNumber, blockHash } }) {
      times[blockNumber] = now();
      hashes[blockNumber] = blockHash;
    },
  });
}

async function publish(number: number, count: number): Promise<void> {
  const transactions = Array.from({ length: count }, () => `0x02${randomBytes(111).toString('hex')}` as const);
  const block = blockOf(rollup, Math.floor(Date.now() / 1000), { blockNumber: number, transactions });
  hashes[number] = block.executionPayload.blockHash;
  times[number] = now();
  await node!.network.publish(block, signer);
}

process.on('message', async (order: Order) => {
  if (order.do === 'start') await start(order.name, order.genesisTime, order.peers);
  else if (order.do === 'publish') await publish(order.number, order.transactions);
  const { user, system } = process.cpuUsage();
  const { blocksTopicV4, banned } = node!.network.stats();
  const isUsage = order.do === 'usage';
  process.send?.({
    address: node!.address(),
    times: isUsage ? times : {},
    hashes: isUsage ? hashes : {},
    cpuMs: (user + system) / 1000,
    rss: process.memoryUsage.rss(),
    blocksTopicV4,
    banned,
  } satisfies Answer);
});
process.on('disconnect', () => process.exit(0));

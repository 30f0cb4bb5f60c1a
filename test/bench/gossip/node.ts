import { randomBytes } from 'node:crypto';
import { blockOf, rollupAt, signer, startPeer } from '../../nodes/gossip/support.ts';

/**
 * One peer network in a process of its own, led by messages of its parent: `start` with static peers, `publish` with a height and the count of
 * transactions; it tells each block that it took, by the clock that all processes of a machine share.
 */
type Order =
  | { readonly do: 'start'; readonly name: string; readonly genesisTime: number; readonly peers: string[] }
  | { readonly do: 'publish'; readonly number: number; readonly transactions: number }
  | { readonly do: 'usage' };

const now = () => performance.timeOrigin + performance.now();
const tell = (message: object) => process.send?.(message);
let network: Awaited<ReturnType<typeof startPeer>> | undefined;
let rollup: ReturnType<typeof rollupAt>;

process.on('message', async (order: Order) => {
  if (order.do === 'start') {
    rollup = rollupAt(order.genesisTime);
    network = await startPeer(order.name, rollup, {
      staticPeers: order.peers,
      onBlock: ({ executionPayload }) => tell({ took: executionPayload.blockNumber, at: now() }),
    });
    tell({ address: network.address() });
  } else if (order.do === 'publish') {
    const transactions = Array.from(
      { length: order.transactions },
      () => `0x02${randomBytes(111).toString('hex')}` as const,
    );
    const block = blockOf(rollup, Math.floor(Date.now() / 1000), { blockNumber: order.number, transactions });
    const at = now();
    await network!.network.publish(block, signer);
    tell({ published: order.number, at });
  } else {
    const { user, system } = process.cpuUsage();
    tell({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss(), ...network!.network.stats() });
  }
});
process.on('disconnect', () => process.exit(0));

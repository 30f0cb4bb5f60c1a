import { expect, it } from 'vitest';
import { blockOf, rollupAt, signer, startPeer, type TestPeer, until } from '../nodes/gossip/support.ts';

const NODES = 20;
const BLOCKS = 30;

it(`${NODES} nodes, each with two static peers, form a mesh and agree on every block`, async () => {
  const genesisTime = Math.floor(Date.now() / 1000) - 1000;
  const rollup = rollupAt(genesisTime);
  const nodes: TestPeer[] = [];
  for (let index = 0; index < NODES; index++)
    nodes.push(
      await startPeer(`mesh-${index}`, rollup, {
        staticPeers: [nodes[index - 1], nodes[Math.floor(index / 2)]].flatMap((node) => (node ? [node.address()] : [])),
      }),
    );
  await until(() => nodes.every(({ network }) => network.stats().blocksTopicV4 >= 2 || network === nodes[0]!.network));
  const blocks = [];
  for (let number = 0; number < BLOCKS; number++) {
    const block = blockOf(rollup, Math.floor(Date.now() / 1000), { blockNumber: 500 + number });
    blocks.push(block);
    // Any node may be the one that the sequencer is connected with.
    const from = nodes[number % NODES]!;
    await from.network.publish(block, signer);
    const { blockHash } = block.executionPayload;
    const has = (node: TestPeer) => node.received.some((got) => got.executionPayload.blockHash === blockHash);
    await until(() => nodes.every((node) => node === from || has(node)));
  }
  for (const [index, node] of nodes.entries())
    expect(node.received, `node ${index}`).toEqual(blocks.filter((_, number) => number % NODES !== index));
  for (const node of nodes) expect(node.network.stats().banned).toBe(0);
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
});

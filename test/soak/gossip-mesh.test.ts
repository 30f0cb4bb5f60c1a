import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startNodes } from '../bench/gossip/nodes.ts';

const NODES = 20;
const BLOCKS = 40;
/** Every tenth is full: 30 million gas of transfers. */
const TRANSFERS = 1_428;

it(`${NODES} processes, each with two static peers, form a mesh and agree on every block`, async () => {
  const peersOf = (index: number) =>
    [...new Set([index - 1, Math.floor(index / 2)])].filter((other) => other >= 0 && other < index);
  const nodes = await startNodes(NODES, peersOf, (index) => peersOf(index).length || 1);
  for (let number = 1; number <= BLOCKS; number++)
    // Any node may be the sequencer's peer.
    await nodes[number % NODES]!.order({ do: 'publish', number, transactions: number % 10 === 0 ? TRANSFERS : 2 });
  const numbers = Array.from({ length: BLOCKS }, (_, index) => index + 1);
  const usage = () => Promise.all(nodes.map((node) => node.usage()));
  let last = await usage();
  for (const deadline = performance.now() + 120_000; performance.now() < deadline; last = await usage()) {
    if (last.every(({ hashes }) => numbers.every((number) => hashes[number] !== undefined))) break;
    await setTimeout(200);
  }
  const [first] = last;
  for (const [index, { hashes, banned }] of last.entries()) {
    expect(hashes, `node ${index}`).toEqual(first!.hashes);
    expect(banned, `bans of node ${index}`).toBe(0);
  }
  expect(Object.keys(first!.hashes)).toHaveLength(BLOCKS);
  const latencies = numbers.flatMap((number) => {
    const from = last[number % NODES]!.times[number] as number;
    return last.map(({ times }) => (times[number] as number) - from);
  });
  const rss = last.reduce((sum, node) => sum + node.rss, 0) / NODES / 1e6;
  console.log(
    `${NODES} processes, ${BLOCKS} blocks: the last node received a block after at most ` +
      `${Math.max(...latencies).toFixed(0)} ms; ${rss.toFixed(0)} MB each`,
  );
  for (const node of nodes) node.end();
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { batchSummary, inboxData } from '../../../src/orchestrator/inspect/inbox.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { encodeBatcherTransaction } from '../../../src/protocol/codec/frame.ts';
import { rollupConfigTimes } from '../../../src/protocol/forks/index.ts';
import { calldataTransaction } from '../../protocol/derivation/scripted/l1.ts';
import { createNetwork, framesOf, inCalldata } from '../../protocol/derivation/scripted/network.ts';
import { BATCHER, forksUpTo, GENESIS_TIME, INBOX, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { address, stubInspector } from './inspected.ts';
import { type ServedL1, servedL1 } from './served-l1.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-inbox-'));
afterAll(() => rmSync(folder, { recursive: true }));
let served: ServedL1 | undefined;
afterEach(() => served?.close());

const ROLLUP = testRollup('granite');
const rollupFile = join(folder, 'rollup.json');
writeFileSync(rollupFile, JSON.stringify({ ...ROLLUP.config, ...rollupConfigTimes(forksUpTo('granite')) }));

const SEQUENCER = { name: 's', role: 'sequencer', el: { http: 'http://el' } };
const idOf = (id: number) => `0x${id.toString(16).padStart(32, '0')}`;
const quantity = (value: number) => `0x${value.toString(16)}`;

/** An L1 with L2 blocks 1 to 9, of two transactions each. */
async function network() {
  const chain = createNetwork(ROLLUP);
  for (let slot = 0; slot < 3; slot++)
    await chain.advance({}, (number) => [userTransaction(2 * number), userTransaction(2 * number + 1)]);
  const blocks = chain.sequencer.chain();
  const frames = (from: number, to: number, id: number, more: Parameters<typeof framesOf>[2] = {}) =>
    framesOf(ROLLUP, blocks.slice(from, to + 1), { id, ...more });
  return { l1: chain.l1, frames };
}

type Mined = ReturnType<Awaited<ReturnType<typeof network>>['l1']['mine']>;
type Sent = ReturnType<typeof calldataTransaction>;

/** Decodes a transaction of a block. */
async function decoded(
  l1: Awaited<ReturnType<typeof network>>['l1'],
  header: Mined,
  sent: Sent,
  more: object = {},
  nodes: readonly object[] = [SEQUENCER],
) {
  served = await servedL1(l1);
  const chains = [{ name: 'main', rollupFile, nodes }];
  const plan = { network: { ...served.plan.network, chains } } as unknown as Plan;
  const rollup = (layer: object) => {
    expect(layer).toEqual({ kind: 'l2', label: 'main', url: 'http://el', chain: chains[0], node: SEQUENCER });
    return ROLLUP;
  };
  const inspector = stubInspector({ plan, rollup });
  const block = { number: quantity(header.number), timestamp: quantity(header.timestamp) };
  return inboxData(inspector, { ...sent, ...more }, block);
}

describe('the data of a batch inbox', () => {
  it('are its frames and the batches of its channels', async () => {
    const { l1, frames } = await network();
    const [frame] = frames(1, 4, 7);
    const [sent] = inCalldata([frame!]);
    const header = l1.mine({ transactions: [...inCalldata(frames(5, 6, 8)), sent!] });
    expect(await decoded(l1, header, sent!)).toEqual({
      chain: 'main',
      frames: [{ channel: idOf(7), number: 0, bytes: frame!.data.length, isLast: true, blob: null }],
      batches: [1, 2, 3, 4].map((number) => ({
        ...{ channel: idOf(7), kind: 'singular', firstBlock: number, lastBlock: number, transactions: 2 },
      })),
      problem: null,
    });
  });

  it('are the batches of a channel that other transactions begin and complete', async () => {
    const { l1, frames } = await network();
    const parts = frames(1, 6, 7, { batchType: 'span', maxFrameSize: 100 });
    expect(parts.length).toBeGreaterThan(2);
    const sent = inCalldata(parts);
    l1.mine({ transactions: [sent[0]!] });
    const header = l1.mine({ transactions: [sent[1]!] });
    const open = await decoded(l1, header, sent[1]!);
    expect(open).toMatchObject({ frames: [{ number: 1, isLast: false }], batches: [], problem: null });
    served?.close();
    l1.mine({ transactions: sent.slice(2) });
    for (let at = 0; at < 3; at++) l1.mine();
    expect(await decoded(l1, header, sent[1]!)).toMatchObject({
      batches: [{ channel: idOf(7), kind: 'span', firstBlock: 1, lastBlock: 6, transactions: 12 }],
    });
  });

  it('are those of several channels, and no channel after them is read', async () => {
    const { l1, frames } = await network();
    const [seven, nine] = [frames(1, 2, 7)[0]!, frames(3, 4, 9)[0]!];
    const sent = calldataTransaction(encodeBatcherTransaction([seven, nine]));
    const header = l1.mine({ transactions: [sent] });
    l1.mine({ transactions: inCalldata(frames(5, 6, 10)) });
    for (let at = 0; at < 40; at++) l1.mine();
    const result = await decoded(l1, header, sent);
    expect(result?.frames.map(({ channel }) => channel)).toEqual([idOf(7), idOf(9)]);
    expect(result?.batches.map(({ channel, firstBlock }) => [channel, firstBlock])).toEqual([
      [idOf(7), 1],
      [idOf(7), 2],
      [idOf(9), 3],
      [idOf(9), 4],
    ]);
    expect(Math.max(...served!.read)).toBeLessThan(header.number + 20);
  });

  it('are those of all its channels, also when another channel is complete before', async () => {
    const { l1, frames } = await network();
    const [seven, [nine, ...rest]] = [frames(1, 2, 7)[0]!, frames(5, 6, 9, { maxFrameSize: 100 })];
    const sent = calldataTransaction(encodeBatcherTransaction([seven, nine!]));
    const header = l1.mine({ transactions: [sent] });
    l1.mine({ transactions: inCalldata(frames(3, 4, 8)) });
    l1.mine({ transactions: inCalldata(rest) });
    const result = await decoded(l1, header, sent);
    expect(result?.batches.map(({ firstBlock }) => firstBlock)).toEqual([1, 2, 5, 6]);
  });

  it('are none of a chain without nodes, and refused without a hash', async () => {
    const { l1 } = await network();
    const sent = calldataTransaction(Uint8Array.of(0));
    const header = l1.mine({ transactions: [sent] });
    expect(await decoded(l1, header, sent, {}, [])).toBeNull();
    served?.close();
    await expect(decoded(l1, header, sent, { hash: '0x' })).rejects.toThrow(/^transaction\.hash/);
  });

  it('are looked for within the channel timeout after the transaction', async () => {
    const { l1, frames } = await network();
    const [first, ...others] = inCalldata(frames(1, 6, 7, { maxFrameSize: 300 }));
    const header = l1.mine({ transactions: [first!] });
    for (let at = 0; at < 60; at++) l1.mine();
    l1.mine({ transactions: others });
    expect(await decoded(l1, header, first!)).toMatchObject({ frames: [{ number: 0 }], batches: [] });
    expect(Math.max(...served!.read)).toBe(header.number + 50);
    expect(Math.min(...served!.read)).toBe(100);
  });

  it('have a problem when they are no frames', async () => {
    const { l1 } = await network();
    const sent = calldataTransaction(Uint8Array.of(0, 1, 2));
    const result = await decoded(l1, l1.mine({ transactions: [sent] }), sent);
    expect(result).toEqual({ chain: 'main', frames: [], batches: [], problem: expect.stringMatching(/./) });
  });

  it.each<[string, object]>([
    ['another address', { to: address('1') }],
    ['no address', { to: null }],
  ])('are none of a transaction to %s', async (_, more) => {
    const { l1 } = await network();
    const sent = calldataTransaction(Uint8Array.of(0));
    expect(await decoded(l1, l1.mine({ transactions: [sent] }), sent, more)).toBeNull();
  });

  it('are those of the sender, also when it is not the batcher', async () => {
    const { l1, frames } = await network();
    const [frame] = frames(1, 2, 7);
    const sent = calldataTransaction(encodeBatcherTransaction([frame!]), { from: address('4'), to: INBOX });
    const header = l1.mine({ transactions: [sent, calldataTransaction(Uint8Array.of(0, 9), { from: BATCHER })] });
    expect(await decoded(l1, header, sent)).toMatchObject({ frames: [{ channel: idOf(7) }], problem: null });
  });
});

describe('the summary of a batch', () => {
  const config = {
    ...ROLLUP.config,
    genesis: { ...ROLLUP.config.genesis, l2: { ...ROLLUP.config.genesis.l2, number: 100 } },
  };

  it('has the numbers of its blocks by their times, and their transactions', () => {
    const block = (number: number, count: number) => ({
      timestamp: GENESIS_TIME + 2 * number,
      transactions: Array(count).fill('0x'),
    });
    expect(batchSummary({ kind: 'singular', batch: block(3, 2) } as never, config)).toEqual({
      ...{ kind: 'singular', firstBlock: 103, lastBlock: 103, transactions: 2 },
    });
    const blocks = [block(3, 1), block(4, 0), block(5, 4)];
    expect(batchSummary({ kind: 'span', batch: { blocks } } as never, config)).toEqual({
      ...{ kind: 'span', firstBlock: 103, lastBlock: 105, transactions: 5 },
    });
  });
});

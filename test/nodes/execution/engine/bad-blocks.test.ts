import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UnexecutedBlock } from '../../../../src/nodes/execution/chain/unexecuted-block.ts';
import { BadBlocks } from '../../../../src/nodes/execution/engine/bad-blocks.ts';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import type { FlavourName } from '../../../../src/nodes/execution/flavours/interface/flavour.ts';
import type { BlockHeader } from '../../../../src/protocol/codec/header.ts';
import { hexToBytes, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info, type Payload } from '../support/driver.ts';
import { forgePayload } from '../support/forge-payload.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, STORE, upTo } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';

const schedule = upTo('isthmus');
const WRONG: Hex = `0x${'be'.repeat(32)}`;

interface BadBlock {
  readonly hash: Hex;
  readonly rlp: Hex;
  readonly block: Readonly<Record<string, unknown>> & { readonly transactions: readonly Record<string, unknown>[] };
}

describe.each(['go', 'rust'] as const)('%s', (flavour) => {
  let node: TestNode;
  let driver: Driver;
  let good: Payload;

  beforeAll(async () => {
    node = await launch(genesisText(schedule), { flavour });
    driver = new Driver(node.engine, schedule);
    const { hash } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
    const signed = await ACCOUNTS[0]!.signTransaction({
      ...{ chainId: CHAIN_ID, type: 'eip1559', nonce: 0, gas: 100_000n, to: STORE, maxFeePerGas: 10n ** 10n },
    });
    good = await driver.build(hash, GENESIS_TIME + 2, [l1Info(1), deposit({ to: STORE, mint: 5n }), signed]);
  });
  beforeEach(async () => expect((await driver.import(good)).status).toBe('VALID'));
  afterAll(() => node[Symbol.asyncDispose]());

  const badBlocks = () => node.rpc.call<BadBlock[]>('debug_getBadBlocks');
  const refuse = async (payload: Payload) => {
    expect((await driver.import(payload)).status).toBe('INVALID');
    return payload.hash;
  };
  const withState = (stateRoot: Hex, payload = good) => forgePayload(schedule, payload, { stateRoot });

  test('lists an invalid block once, with its header, transactions and encoding', async () => {
    expect(await badBlocks()).toEqual([]);
    const hash = await refuse(withState(WRONG));
    await refuse(withState(WRONG));
    const goodBlock = await node.rpc.call<Record<string, unknown>>('eth_getBlockByHash', [good.hash, true]);
    const { totalDifficulty: _, transactions, ...header } = goodBlock;
    const [first, second, third] = transactions as Record<string, unknown>[];
    const { nonce: __, depositReceiptVersion: ___, ...l1 } = first!;
    const list = await badBlocks();
    expect(list).toEqual([
      {
        hash,
        rlp: expect.stringMatching(/^0xf9/),
        block: { ...header, hash, stateRoot: WRONG, transactions: expect.any(Array) },
      },
    ]);
    expect(list[0]!.block.transactions).toEqual([
      { ...l1, blockHash: hash, nonce: '0x0' },
      expect.objectContaining({ hash: second!['hash'], blockHash: hash, mint: '0x5' }),
      { ...third, blockHash: hash },
    ]);
  });

  test('traces an invalid block by its encoding and by its hash', async () => {
    const [{ hash, rlp }] = (await badBlocks()) as [BadBlock];
    const options = { tracer: 'callTracer' };
    const trace = await node.rpc.call('debug_traceBlockByHash', [good.hash, options]);
    expect(await node.rpc.call('debug_traceBlock', [rlp, options])).toEqual(trace);
    expect(await node.rpc.call('debug_traceBadBlock', [hash, options])).toEqual(trace);
    const loud = `0x${hash.slice(2).toUpperCase()}`;
    expect(await node.rpc.call('debug_traceBadBlock', [loud, options])).toEqual(trace);
    await expect(node.rpc.call('debug_traceBadBlock', [good.hash])).rejects.toMatchObject({
      code: -32000,
      message: `bad block ${good.hash} not found`,
    });
  });

  test('ignores blocks with a wrong hash, and those with an undecodable transaction', async () => {
    const before = await badBlocks();
    const { envelope } = good;
    const mismatched = {
      ...good,
      envelope: { ...envelope, executionPayload: { ...envelope.executionPayload, gasUsed: '0x1' } },
    };
    expect((await driver.import(mismatched)).status).toBe('INVALID');
    await refuse(forgePayload(schedule, good, { transactions: [l1Info(1), '0x02c0'] }));
    expect(await badBlocks()).toEqual(before);
  });

  test(`${flavour === 'go' ? 'omits' : 'lists'} the descendants of an invalid block`, async () => {
    const parentHash = await refuse(withState(`0x${'cd'.repeat(32)}`));
    const child = forgePayload(schedule, good, {
      ...{ parentHash, blockNumber: quantity(good.number + 1), timestamp: quantity(good.timestamp + 2) },
    });
    await refuse(child);
    expect((await badBlocks()).some(({ hash }) => hash === child.hash)).toBe(flavour === 'rust');
  });
});

test.each<[FlavourName, string, number[]]>([
  ['go', 'the ten highest, the highest first', [20, 19, 18, 17, 16, 15, 14, 13, 12, 11]],
  ['rust', 'the last 64, the newest first', Array.from({ length: 64 }, (_, at) => (at < 50 ? 50 - at : 70 - at))],
])('%s keeps %s', (flavour, _, expected) => {
  const list = new BadBlocks(FLAVOURS[flavour].badBlocks);
  const numbers =
    flavour === 'go' ? [3, 20, 1, 19, 18, 2, 17, 16, 15, 11, 14, 13, 12] : [...range(1, 20), ...range(1, 50)];
  for (const [at, number] of numbers.entries()) list.add(candidate(number, at));
  expect(list.all.map(({ header }) => header.number)).toEqual(expected);
});

test('the list of bad blocks is bounded in bytes', () => {
  const list = new BadBlocks(FLAVOURS.rust.badBlocks);
  const large = hexToBytes(deposit({ data: `0x${'00'.repeat(9 * 1024 * 1024)}` }));
  for (let at = 0; at < 5; at++) list.add(candidate(1, at, [large]));
  expect(list.all.map(({ hash }) => Number(hash))).toEqual([4, 3, 2]);
});

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

function candidate(number: number, hash: number, transactions: Uint8Array[] = []): UnexecutedBlock {
  return { hash: quantity(hash), header: { number } as BlockHeader, transactions, withdrawals: [] };
}
